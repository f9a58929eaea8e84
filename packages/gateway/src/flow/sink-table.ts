import type { Taint } from '@capstan/contracts';

/** Where the content of a call's arguments ends up (requirement G6). */
export type Sink =
  /** Nothing is changed and nothing leaves. */
  | 'read'
  /** A write by an official server in the session's workspace. */
  | 'contained-write'
  /** A detected command template in the sandbox, without network. */
  | 'contained-run'
  /** A free shell, or code that runs with network. */
  | 'code'
  /** A write outside of the workspace, or anything that is sent. */
  | 'leaves';

/** How the destination of something that leaves was found. `server` is the configured server itself. */
export type Destination = 'server' | 'named' | 'clean' | 'tainted' | 'unknown';

export interface FlowFacts {
  readonly sink: Sink;
  /** Of the arguments that are more than a choice among declared values. */
  readonly taint: Taint;
  /** The session holds external content. */
  readonly afterExternalRead: boolean;
  readonly destination: Destination;
  /** The arguments hold, or may hold, secret content. */
  readonly secret: boolean;
  /** It writes files that run code or steer agents elsewhere: held at `apply` until a human has seen them. */
  readonly trustBearing: boolean;
}

export interface FlowDecision {
  /** `exact-approval`: a human approves this very call, whatever was granted. */
  readonly requirement: 'allow' | 'as-tier' | 'exact-approval' | 'deny';
  readonly rule: string;
}

/**
 * The sink table of requirement G6, row by row. It holds for a model that obeys every injected instruction, because
 * nothing in it asks what the content says.
 */
export function decideFlow(facts: FlowFacts): FlowDecision {
  const goesOut = facts.sink === 'leaves' || facts.sink === 'code';
  if (goesOut && facts.secret) return { requirement: 'deny', rule: 'secret-egress' };
  switch (facts.sink) {
    case 'read':
      return { requirement: 'as-tier', rule: 'read' };
    case 'contained-write':
      return { requirement: 'allow', rule: facts.trustBearing ? 'trust-bearing-held' : 'contained-write' };
    case 'contained-run':
      if (isTainted(facts)) return { requirement: 'exact-approval', rule: 'tainted-parameters' };
      return { requirement: 'allow', rule: 'contained-run' };
    case 'code':
      if (facts.afterExternalRead) return { requirement: 'exact-approval', rule: 'code-after-external-read' };
      return { requirement: 'as-tier', rule: 'code' };
    case 'leaves':
      if (facts.destination === 'tainted' || facts.destination === 'unknown')
        return { requirement: 'exact-approval', rule: `destination-${facts.destination}` };
      return { requirement: 'as-tier', rule: `destination-${facts.destination}` };
  }
}

/** Unknown counts as tainted once the session has read external content. */
function isTainted(facts: Pick<FlowFacts, 'taint' | 'afterExternalRead'>): boolean {
  return facts.taint === 'tainted' || (facts.taint === 'unknown' && facts.afterExternalRead);
}
