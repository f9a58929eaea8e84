/** The value of a JSON text for a schema to check; undefined for what is no JSON. A byte order mark is none of it. */
export function parseJson(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}
