/** Whether an answer to "[y/N]" is a yes, in English or Chinese. */
export function saysYes(answer: string): boolean {
  return /^(y|yes|是|好|可以)$/i.test(answer.trim());
}
