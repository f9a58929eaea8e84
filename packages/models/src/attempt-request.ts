import type { ModelAnswer, ModelRequest } from '@capstan/contracts';
import type { AnswerPiece } from './collect-answer.ts';
import { AnswerCollector } from './collect-answer.ts';
import { wireIds } from './wire-ids.ts';
import { wireMessages } from './wire-messages.ts';

/** What one attempt needs to know. */
export interface Attempt {
  readonly name: string;
  readonly baseUrl: string;
  readonly apiKey?: string;
  readonly timeoutMs: number;
  readonly temperature?: number;
}

/** Thrown when nothing arrived for `timeoutMs`. */
class SilenceError extends Error {
  override readonly name = 'SilenceError';
}

/** Sends one request and reads its stream to the end. Throws whatever went wrong, also when the stream was cut. */
export async function attemptRequest(attempt: Attempt, request: ModelRequest): Promise<ModelAnswer> {
  const { ChatOpenAICompletions } = await import('@langchain/openai');
  const silence = new AbortController();
  const signals = request.signal === undefined ? [silence.signal] : [silence.signal, request.signal];
  const alarm = () => silence.abort(new SilenceError(`nothing arrived for ${attempt.timeoutMs} ms`));
  const timer = setTimeout(alarm, attempt.timeoutMs);
  const client = new ChatOpenAICompletions({
    model: attempt.name,
    // The client refuses to start without a key; endpoints on the own machine often want none.
    apiKey: attempt.apiKey ?? 'none',
    ...(attempt.temperature === undefined ? {} : { temperature: attempt.temperature }),
    maxRetries: 0,
    streamUsage: true,
    configuration: { baseURL: attempt.baseUrl, organization: null, project: null },
  });
  try {
    const collector = new AnswerCollector(request);
    const ids = wireIds(request.messages);
    // Never `.invoke()`: with streaming it fetches a tokenizer from the internet to estimate a usage that has arrived.
    const stream = await client.stream(await wireMessages(request.messages, ids), {
      signal: AbortSignal.any(signals),
      tools: request.tools.map((tool) => ({
        type: 'function' as const,
        function: { name: tool.name, description: tool.description, parameters: { ...tool.inputSchema } },
      })),
    });
    for await (const piece of stream) {
      timer.refresh();
      collector.add(piece as unknown as AnswerPiece);
    }
    return collector.end();
  } catch (thrown) {
    // The client wraps the reason of an abort; ours says more.
    silence.signal.throwIfAborted();
    throw thrown;
  } finally {
    clearTimeout(timer);
  }
}
