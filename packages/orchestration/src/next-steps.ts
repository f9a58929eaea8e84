import type { SessionOverview } from './read-session-overview.ts';

/** A command that a person may give next, and what for. */
export interface NextStep {
  readonly command: readonly string[];
  readonly purpose: string;
}

/** What to do next about a session, the first being the most likely (pure). */
export function nextSteps({ session, state, files, verified, waiting, failure }: SessionOverview): NextStep[] {
  const id = session.sessionId;
  const look: NextStep = { command: ['diff', id], purpose: 'look at the changes' };
  const resume = (purpose: string): NextStep => ({ command: ['resume', id], purpose });
  const answer: NextStep = { command: ['approve', id], purpose: 'see the question and answer it' };
  const apply = (purpose: string): NextStep => ({
    command: ['apply', id, ...(verified ? [] : ['--unverified'])],
    purpose,
  });
  const changed = files !== undefined && files.length > 0;
  switch (state) {
    case 'running':
      return [
        ...(waiting.length > 0 ? [answer] : []),
        { command: ['trace', id], purpose: 'see what it has done so far' },
      ];
    case 'waiting':
      if (failure?.code === 'held-for-review') {
        const { command } = apply('');
        return [look, { command: [...command, '--reviewed'], purpose: 'apply what you have looked at' }];
      }
      if (failure?.code === 'checkout-moved') {
        return [look, apply('apply once the checkout fits again')];
      }
      if (failure?.code === 'not-verified') return [look, apply('apply them all the same')];
      if (waiting.length === 0) return [resume('go on')];
      return [answer, resume('answer in a terminal, and go on')];
    case 'stopped':
    case 'broken off':
      return [resume('go on from where it stopped')];
    case 'failed':
      return [resume('try again once the cause is gone')];
    case 'done':
      return changed
        ? [
            look,
            apply(
              verified
                ? 'bring them into the checkout'
                : 'bring them into the checkout, though no check spoke for them',
            ),
          ]
        : [];
    case 'unsolved':
    case 'denied':
      return changed
        ? [look, apply('bring them into the checkout all the same')]
        : [{ command: ['trace', id], purpose: 'see what was tried' }];
    case 'applied':
      return [{ command: ['undo', id], purpose: 'take the changes back' }];
    case 'undone':
      return [look, apply('bring them into the checkout again')];
    case 'half applied':
      return [
        { command: ['undo', id], purpose: 'take it back' },
        apply('take it back, and apply it again from the start'),
      ];
    case 'archived':
      return [{ command: ['trace', id], purpose: 'see what it did; its workspace is gone' }];
  }
}
