import type { StdioPeer } from './stdio-peer.ts';

/** One scenario of the conformance kit, by its name there, as far as it makes sense over stdio. */
export interface StdioRequirement {
  readonly scenario: string;
  check(peer: StdioPeer): Promise<void>;
}

/** A part of content, as loosely as a test wants it. */
export type Part = Readonly<Record<string, unknown>>;

export function partsOf(result: Record<string, unknown>): readonly Part[] {
  return Array.isArray(result.content) ? (result.content as Part[]) : [];
}

export function textOf(result: Record<string, unknown>): string {
  return partsOf(result)
    .map((part) => (typeof part.text === 'string' ? part.text : ''))
    .join('\n');
}
