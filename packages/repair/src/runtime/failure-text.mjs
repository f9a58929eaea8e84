/** What was thrown, as text. Tested code throws anything, and some of it cannot be turned into a text. */
export function failureText(error, most = 500) {
  try {
    const cause = error?.cause ?? error;
    return String(cause?.message ?? cause).slice(0, most);
  } catch {
    return `a value of type ${typeof error} was thrown`;
  }
}
