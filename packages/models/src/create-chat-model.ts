import { type CapstanError, type ChatModel, ModelAnswer, type ModelRequest } from '@capstan/contracts';
import { type Pause, retryWithBackoff } from '@capstan/resilience';
import { type Attempt, attemptRequest } from './attempt-request.ts';
import { classifyModelError } from './classify-model-error.ts';

export interface ChatModelOptions {
  /** The model's name at the endpoint, e.g. "qwen3-coder". */
  readonly name: string;
  /** OpenAI-compatible endpoint with its version path, e.g. "http://127.0.0.1:11434/v1". */
  readonly baseUrl: string;
  readonly apiKey?: string;
  /** The longest silence within one attempt: until the first piece, and between pieces. */
  readonly timeoutMs?: number;
  /** Attempts after the first one. */
  readonly maxRetries?: number;
  readonly temperature?: number;
  /** Between 0 and 1; spreads the retries. */
  readonly random: () => number;
  readonly pause?: Pause;
}

const longestPauseMs = 20_000;

/**
 * A chat model behind an OpenAI-compatible endpoint. LangChain is imported with the first request. An answer is whole or
 * there is none: a stream that is cut is asked for again, with back-off and jitter, at most `maxRetries` times. Then, and
 * at once for what a retry cannot cure, it throws `CapstanError` `model-failed`. A cancelled request throws the reason of
 * its signal. Pieces of a cut attempt may already have gone to `onText`.
 */
export function createChatModel(options: ChatModelOptions): ChatModel {
  const attempt: Attempt = { timeoutMs: 120_000, ...options };
  const maxRetries = options.maxRetries ?? 4;
  const { random, pause } = options;

  async function request(modelRequest: ModelRequest): Promise<ModelAnswer> {
    const { signal } = modelRequest;
    const outcome = await retryWithBackoff(() => tryOnce(attempt, modelRequest), {
      failureOf,
      retries: maxRetries,
      firstMilliseconds: 500,
      maximumMilliseconds: longestPauseMs,
      random,
      pause,
      signal,
    });
    if ('answer' in outcome) return outcome.answer;
    signal?.throwIfAborted();
    throw outcome.error;
  }

  return { name: options.name, request };
}

type AttemptOutcome = { answer: ModelAnswer } | { error: CapstanError; afterMs: number | undefined };

async function tryOnce(attempt: Attempt, request: ModelRequest): Promise<AttemptOutcome> {
  try {
    return { answer: ModelAnswer.parse(await attemptRequest(attempt, request)) };
  } catch (thrown) {
    return classifyModelError(thrown, attempt);
  }
}

/** An endpoint may ask for more patience than a run has: the longest pause is ours. */
function failureOf(outcome: AttemptOutcome) {
  if ('answer' in outcome) return undefined;
  return { level: outcome.error.level, afterMs: Math.min(outcome.afterMs ?? 0, longestPauseMs) };
}
