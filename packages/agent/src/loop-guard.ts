import { type CallOutcome, canonicalJson, type ToolCall } from '@capstan/contracts';
import { digestOf } from './digest.ts';
import { outcomeText } from './outcome.ts';

const remembered = 40;
const sameLimit = 4;
const alternationLength = 6;
const staleLimit = 8;

/** A call with its result, in 16 hex digits; times in the result do not count. */
export function turnDigest(call: ToolCall, outcome: CallOutcome): string {
  const text = outcomeText(outcome).replace(/\d+(\.\d+)?\s*(ms|s|seconds?|milliseconds?|秒|毫秒)\b/g, '');
  return digestOf([call.name, canonicalJson(call.arguments), text]).slice(0, 16);
}

export function remember(recent: readonly string[], digests: readonly string[]): string[] {
  return [...recent, ...digests].slice(-remembered);
}

/** Why the run goes round in circles (requirement A10), or undefined when it does not. */
export function findLoop(recent: readonly string[], staleTurns: number): string | undefined {
  const last = recent.at(-1);
  if (last !== undefined && recent.filter((digest) => digest === last).length >= sameLimit) {
    return `the same call gave the same result ${sameLimit} times`;
  }
  if (alternates(recent.slice(-alternationLength))) return 'two calls alternate without any change in their results';
  if (staleTurns >= staleLimit) return `${staleLimit} turns in a row showed nothing new`;
  return undefined;
}

function alternates(digests: readonly string[]): boolean {
  if (digests.length < alternationLength || new Set(digests).size !== 2) return false;
  return digests.every((digest, index) => index < 2 || digest === digests[index - 2]);
}
