import { CapstanError, type Failure } from '@capstan/contracts';
import { type CallState, denied, type Stage } from '../stage.ts';

/** Rates per user and tool, a bounded queue per server, and no question to anybody about a server that is down (G9, G10). */
export const limitsAndBreaker: Stage = {
  name: 'limits-and-breaker',
  async run(state, next) {
    const { gateway, context, call, tool } = state;
    if (tool === undefined) return next();
    const down = brokenServer(state, tool.definition.server);
    if (down !== undefined) return { kind: 'failed', callId: call.id, failure: down };
    const userWait = gateway.limits.users.take(context.actor);
    if (userWait > 0) return tooMany(state, 'rate-user', `${context.actor} makes too many calls.`, userWait);
    const toolWait = gateway.limits.tools.take(call.name);
    if (toolWait > 0) return tooMany(state, 'rate-tool', `${call.name} is called too often.`, toolWait);
    const answer = await gateway.limits.queue(tool.definition.server).run(next, context.signal);
    if (answer.accepted) return answer.value;
    return tooMany(state, 'queue-full', `Too many calls wait for ${tool.definition.server}.`, 1_000);
  },
};

function brokenServer({ gateway }: CallState, server: string): Failure | undefined {
  const breaker = gateway.pool.breaker(server);
  try {
    breaker.check();
    return undefined;
  } catch (error) {
    if (error instanceof CapstanError) return { ...error.toFailure(), afterMs: Math.ceil(breaker.afterMs) };
    throw error;
  }
}

function tooMany(state: CallState, rule: string, message: string, afterMs: number): ReturnType<typeof denied> {
  return denied(state, 'limits-and-breaker', rule, message, { level: 'retryable', afterMs: Math.ceil(afterMs) });
}
