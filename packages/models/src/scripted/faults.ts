/** What a scripted server does wrong: an HTTP status, or a way to spoil the stream. */
export type FaultKind = number | 'cut' | 'end' | 'hang' | 'reset' | 'malformed' | 'no-usage';

const kinds: ReadonlySet<string> = new Set(['cut', 'end', 'hang', 'reset', 'malformed', 'no-usage']);

/**
 * Reads `KIND:COUNT` (e.g. `500:2`, `cut:1`): the first COUNT requests fail that way; several faults follow one another.
 * Kinds: an HTTP status; `cut` destroys the connection in the middle, `end` closes it cleanly there, `hang` falls silent
 * there, `reset` destroys it before any byte, `malformed` breaks the arguments of calls, `no-usage` reports none.
 */
export function parseFaults(texts: readonly string[]): FaultKind[] {
  return texts.flatMap((text) => {
    const [kind = '', count = '1'] = text.split(':');
    const isStatus = /^[45]\d\d$/.test(kind);
    if ((!isStatus && !kinds.has(kind)) || !/^\d+$/.test(count)) throw new Error(`not a fault: ${text}`);
    return Array.from({ length: Number(count) }, () => (isStatus ? Number(kind) : (kind as FaultKind)));
  });
}
