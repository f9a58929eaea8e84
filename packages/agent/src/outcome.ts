import { type CallOutcome, type Failure, resultText } from '@capstan/contracts';
import type { z } from 'zod';
import { failedEnding, failWith } from './ending.ts';
import type { Ending, Waiting } from './run-state.ts';

/** The gateway's answer, or a question that a human has to answer before the call can be made. */
export type Performed =
  | { readonly kind: 'outcome'; readonly outcome: CallOutcome }
  | { readonly kind: 'waiting'; readonly waiting: Waiting };

/** What failed, if anything did. A business failure of a server that names no level is for the model to handle. */
export function failureOf(outcome: CallOutcome): Failure | undefined {
  if (outcome.kind === 'denied' || outcome.kind === 'failed') return outcome.failure;
  if (outcome.kind !== 'result' || !outcome.result.isError) return undefined;
  return outcome.result.failure ?? { level: 'param', code: 'tool-failed', message: resultText(outcome.result) };
}

/** The text that a model gets for an outcome. */
export function outcomeText(outcome: CallOutcome): string {
  if (outcome.kind === 'result') return resultText(outcome.result);
  const failure = failureOf(outcome);
  if (failure === undefined) return 'The outcome of this call is not known.';
  const what = outcome.kind === 'denied' ? `Refused (rule ${outcome.rule}): ${failure.message}` : failure.message;
  return failure.hint === undefined ? what : `${what} Hint: ${failure.hint}`;
}

/** Structured content in the expected shape; undefined when the call failed or sent something else. */
export function structuredOf<Schema extends z.ZodType>(
  outcome: CallOutcome,
  schema: Schema,
): z.output<Schema> | undefined {
  if (outcome.kind !== 'result' || outcome.result.isError) return undefined;
  const parsed = schema.safeParse(outcome.result.structured);
  return parsed.success ? parsed.data : undefined;
}

/** What a node makes of a call that the run cannot do without. */
export type Needed<Value> =
  | { readonly kind: 'value'; readonly value: Value }
  | { readonly kind: 'waiting'; readonly waiting: Waiting }
  | { readonly kind: 'ending'; readonly ending: Ending };

/** The structured content of such a call, or why there is none. */
export function need<Schema extends z.ZodType>(performed: Performed, schema: Schema): Needed<z.output<Schema>> {
  if (performed.kind === 'waiting') return performed;
  const value = structuredOf(performed.outcome, schema);
  if (value !== undefined) return { kind: 'value', value };
  const failure = failureOf(performed.outcome);
  if (performed.outcome.kind === 'denied' && failure !== undefined) {
    return { kind: 'ending', ending: { status: 'denied', failure: { ...failure, code: 'denied' } } };
  }
  const ending =
    failure === undefined
      ? failWith(
          'server-failed',
          'A tool answered in a shape that the agent does not know.',
          'Check that all servers have the same version.',
        )
      : failedEnding(failure);
  return { kind: 'ending', ending };
}
