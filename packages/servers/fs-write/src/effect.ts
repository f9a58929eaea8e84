import { canonicalJson } from '@capstan/contracts';
import type { ToolContext, ToolReply } from '@capstan/tool-server';
import { type Refusal, sha256 } from '@capstan/workspace';
import type { Change } from './change.ts';
import { type CommitDeps, commitChanges, resumeChanges } from './commit-changes.ts';
import { describeChanges } from './describe-changes.ts';
import type { Turnstile } from './turnstile.ts';
import { warnOfChanges } from './warn-of-changes.ts';

export interface EffectDeps extends CommitDeps {
  readonly root: string;
  /** All effects of this server pass it, so that no two calls work on the same state. */
  readonly turnstile: Turnstile;
  /** What configuration protects: why changes are refused, undefined when they are not. */
  readonly refuses: (changes: readonly Change[]) => Promise<Refusal | undefined>;
  /** A fresh id for a call that came without one. */
  readonly nextId: () => string;
}

/**
 * Runs one call that changes files: plan, and unless it is a dry run, commit. A call id that was seen before gives the
 * recorded reply (requirement T9 for the dry run; idempotent by call id).
 */
export async function runEffect(
  deps: EffectDeps,
  tool: string,
  input: { readonly dryRun: boolean },
  context: Pick<ToolContext, 'callId'>,
  plan: () => Promise<Change[] | Refusal>,
): Promise<ToolReply> {
  return deps.turnstile.pass(async () => {
    const id = changeId(context.callId ?? deps.nextId());
    const argumentDigest = sha256(canonicalJson({ tool, input }));
    const earlier = input.dryRun ? undefined : await deps.journal.load(id);
    if (earlier !== undefined) return resumeChanges(deps, earlier, argumentDigest);
    const planned = await plan();
    if ('failure' in planned) return planned;
    const refusal = await deps.refuses(planned);
    if (refusal !== undefined) return refusal;
    const changes = await warnOfChanges(deps.root, planned);
    if (input.dryRun) return describeChanges(changes, undefined);
    const reply = describeChanges(changes, id);
    return (await commitChanges(deps, { id, tool, argumentDigest }, changes, reply)) ?? reply;
  });
}

/** A call id can hold any characters; its change id is short and safe as a file name. */
function changeId(callId: string): string {
  return sha256(callId).slice(0, 20);
}
