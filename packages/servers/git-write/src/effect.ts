import { canonicalJson, type Failure } from '@capstan/contracts';
import { type OpenRequest, openRepository, type Repository } from '@capstan/git-repository';
import type { ToolContext, ToolReply } from '@capstan/tool-server';
import { type Refusal, sha256 } from '@capstan/workspace';
import type { CallJournal } from './call-journal.ts';
import { type Described, describeEffect, type EffectReply, showEffect } from './effect-reply.ts';

/** What this server was started with. */
export interface EffectDeps {
  readonly place: Pick<OpenRequest, 'root' | 'trusted' | 'stateFolder' | 'searchPath'>;
  /** Where worktrees are made. */
  readonly worktrees: string;
  /** Who commits, where neither the call nor the repository says it: "Ann <ann@example.org>". */
  readonly identity: string | undefined;
  /** Protocols that a push may use, e.g. "https". */
  readonly pushProtocols: readonly string[];
  /** The socket of the person's ssh agent, which a push may use. */
  readonly agentSocket: string | undefined;
  readonly journal: CallJournal;
  readonly queue: EffectQueue;
  /** A fresh id for a call that came without one. */
  readonly nextId: () => string;
}

/** What is known of a call while it is planned. */
export interface PlanContext {
  readonly repository: Repository;
  /** Names what the call keeps; safe in a ref and as a file name. */
  readonly id: string;
  /** What an earlier process wrote down before it died in the middle of this call. */
  readonly earlier: Readonly<Record<string, string>> | undefined;
}

/** What a call would do, and how. */
export interface EffectPlan {
  readonly described: Described;
  readonly facts?: Readonly<Record<string, string>>;
  /** Does it; gives what is known only afterwards. Undefined: it is done already. */
  readonly act: (() => Promise<Partial<Described> | Refusal>) | undefined;
}

/** Lets one effect through at a time, in the order of arrival: no two calls work on the same index. */
export class EffectQueue {
  #last: Promise<unknown> = Promise.resolve();

  pass<Value>(work: () => Promise<Value>): Promise<Value> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}

/**
 * Runs one call that changes a repository: plan, and unless it is a dry run, write down the intent and act. A call id that
 * was seen before gives the recorded reply; after a crash the plan sees what was written down, and goes on from there.
 */
export async function runEffect(
  deps: EffectDeps,
  tool: string,
  input: { readonly dryRun: boolean; readonly repository: string },
  context: Pick<ToolContext, 'callId' | 'signal'>,
  plan: (planning: PlanContext) => Promise<EffectPlan | Refusal>,
): Promise<ToolReply> {
  return deps.queue.pass(async () => {
    const id = sha256(context.callId ?? deps.nextId()).slice(0, 20);
    const argumentDigest = sha256(canonicalJson({ tool, input }));
    const earlier = input.dryRun ? undefined : await deps.journal.load(id);
    if (earlier !== undefined && earlier.argumentDigest !== argumentDigest) return reused();
    if (earlier?.reply !== undefined) return replyWith(earlier.reply);
    // Once begun, an effect is brought to its end: a cancelled call must not leave half of one.
    context.signal.throwIfAborted();
    const request: OpenRequest = { ...deps.place, path: input.repository, use: 'write' };
    const done = await openRepository<EffectReply | Refusal>(request, async (repository) => {
      const planned = await plan({ repository, id, earlier: earlier?.facts });
      if ('failure' in planned) return planned;
      if (input.dryRun) return describeEffect(planned.described, true);
      // What is only looked at, or was done before, leaves no intent.
      if (planned.act !== undefined) {
        await deps.journal.save(id, { argumentDigest, facts: earlier?.facts ?? planned.facts ?? {} });
      } else if (earlier === undefined) return describeEffect(planned.described, false);
      const after = (await planned.act?.()) ?? {};
      if ('failure' in after) return after;
      const reply = describeEffect({ ...planned.described, ...after }, false);
      await deps.journal.save(id, { argumentDigest, facts: {}, reply });
      return reply;
    });
    return 'failure' in done ? done : replyWith(done);
  });
}

function replyWith(reply: EffectReply): ToolReply {
  return { text: showEffect(reply), structured: reply };
}

function reused(): Refusal {
  return unknownOutcome(
    'This call id was used before with other arguments.',
    'A person has to decide; nothing was changed now.',
  );
}

/** For what a person has to look at: it cannot be known whether an earlier process did it. */
export function unknownOutcome(message: string, hint: string): { readonly failure: Failure } {
  return { failure: { level: 'fatal', code: 'unknown-outcome', message, hint } };
}
