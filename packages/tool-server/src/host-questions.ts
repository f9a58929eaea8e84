import { createHash, randomBytes } from 'node:crypto';
import { canonicalJson } from '@capstan/contracts';
import {
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  type InputRequests,
  type InputRequiredResult,
  inputRequired,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  type RequestStateCodec,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { HostRequests } from './define-tool.ts';
import type { Asked, Sampled, SampleRequest } from './request-context.ts';

/** How long a person may take for an answer. Seconds. */
const answerSeconds = 600;

/** What travels through the host between the rounds of one request: signed, readable by the host. */
const State = z.strictObject({
  /** Of the method and its parameters: an answer to one call is none to another. */
  digest: z.string(),
  answers: z.record(z.string(), z.unknown()),
});
type State = z.infer<typeof State>;

/** Signs what goes through the host. The key lives as long as the process: after a restart a request begins anew. */
export function createStateCodec(): RequestStateCodec<State> {
  return createRequestStateCodec<State>({
    key: randomBytes(32),
    ttlSeconds: answerSeconds,
    bind: (context) => `${context.mcpReq.method}\0${context.http?.authInfo?.clientId ?? ''}`,
  });
}

/**
 * The questions of one request to the host that made it. Hosts up to 2025-11-25 are asked while the request runs. Later
 * ones get the questions as its result, and repeat the request with their answers (`input_required`).
 */
export class HostQuestions {
  readonly #server: Server;
  readonly #context: ServerContext;
  readonly #codec: RequestStateCodec<State>;
  readonly #parameters: unknown;
  /** Keys of the answers that the handler has looked at: these are kept for its next round. */
  readonly #read = new Set<string>();
  readonly #answers: Readonly<Record<string, unknown>>;

  /** Throws a protocol error when the request carries the state of another one. */
  constructor(server: Server, context: ServerContext, codec: RequestStateCodec<State>, parameters: unknown) {
    this.#server = server;
    this.#context = context;
    this.#codec = codec;
    this.#parameters = parameters;
    this.#answers = this.#readAnswers();
  }

  async ask(requests: HostRequests): Promise<Asked> {
    const keys = Object.keys(requests);
    if (keys.every((key) => Object.hasOwn(this.#answers, key))) {
      for (const key of keys) this.#read.add(key);
      return { outcome: 'answered', answers: pick(this.#answers, keys) };
    }
    const missing = Object.values(requests).find((request) => !this.#canAnswer(request.method));
    if (missing !== undefined) return { outcome: 'unavailable', reason: `The host does not offer ${missing.method}.` };
    return this.#repeatsRequests() ? { outcome: 'pending', reply: { pending: requests } } : this.#askNow(requests);
  }

  async sample(request: SampleRequest): Promise<Sampled> {
    const asked = await this.ask({
      [request.key]: { method: 'sampling/createMessage', params: samplingParams(request) },
    });
    if (asked.outcome !== 'answered') return asked;
    const answer = SampleAnswer.safeParse(asked.answers[request.key]);
    if (!answer.success)
      return { outcome: 'unavailable', reason: 'The host answered with something else than a text.' };
    const blocks = [answer.data.content].flat();
    const text = blocks.map((block) => (block.type === 'text' ? (block.text ?? '') : '')).join('');
    return { outcome: 'answered', text, model: answer.data.model };
  }

  /** The result that makes the host ask its person or model, and repeat the request. */
  async pendingResult(requests: HostRequests): Promise<InputRequiredResult> {
    const state: State = { digest: this.#digest(), answers: pick(this.#answers, this.#read) };
    const requestState = await this.#codec.mint(state, this.#context);
    return inputRequired({ inputRequests: requests as InputRequests, requestState });
  }

  #digest(): string {
    const request = canonicalJson({ method: this.#context.mcpReq.method, parameters: this.#parameters });
    return createHash('sha256').update(request).digest('base64url');
  }

  #readAnswers(): Readonly<Record<string, unknown>> {
    const given = this.#context.mcpReq.inputResponses ?? {};
    const carried = this.#context.mcpReq.requestState();
    if (carried === undefined) return given;
    const state = State.safeParse(carried);
    if (!state.success || state.data.digest !== this.#digest()) {
      const message = 'The requestState belongs to another request. Leave it out to begin anew.';
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
    }
    return { ...state.data.answers, ...given };
  }

  #repeatsRequests(): boolean {
    return this.#envelope()[PROTOCOL_VERSION_META_KEY] !== undefined;
  }

  /** What later protocols say with each request: version and capabilities. */
  #envelope(): Readonly<Record<string, unknown>> {
    return { ...this.#context.mcpReq.envelope };
  }

  #canAnswer(method: HostRequests[string]['method']): boolean {
    const declared = this.#repeatsRequests()
      ? this.#envelope()[CLIENT_CAPABILITIES_META_KEY]
      : this.#server.getClientCapabilities();
    const capabilities = Capabilities.safeParse(declared).data ?? {};
    if (method === 'sampling/createMessage') return capabilities.sampling !== undefined;
    if (method === 'roots/list') return capabilities.roots !== undefined;
    return capabilities.elicitation !== undefined;
  }

  async #askNow(requests: HostRequests): Promise<Asked> {
    const { send, signal } = this.#context.mcpReq;
    const options = { signal, timeout: answerSeconds * 1000, resetTimeoutOnProgress: true };
    const answers: Record<string, unknown> = {};
    for (const [key, { method, params }] of Object.entries(requests)) {
      try {
        answers[key] = await send({ method, ...(params === undefined ? {} : { params }) }, options);
      } catch (refusal) {
        return { outcome: 'unavailable', reason: refusal instanceof Error ? refusal.message : String(refusal) };
      }
    }
    return { outcome: 'answered', answers };
  }
}

function pick(from: Readonly<Record<string, unknown>>, keys: Iterable<string>): Record<string, unknown> {
  return Object.fromEntries([...keys].map((key) => [key, from[key]]));
}

const Capabilities = z
  .looseObject({
    sampling: z.unknown(),
    roots: z.unknown(),
    elicitation: z.unknown(),
  })
  .partial();
const SampleBlock = z.looseObject({ type: z.string(), text: z.string().optional() });
const SampleAnswer = z.looseObject({ content: z.union([SampleBlock, z.array(SampleBlock)]), model: z.string() });

function samplingParams(request: SampleRequest): Record<string, unknown> {
  const { cost, speed, intelligence } = request.preferences ?? {};
  return {
    messages: [{ role: 'user', content: { type: 'text', text: request.prompt } }],
    maxTokens: request.maxTokens,
    ...(request.system === undefined ? {} : { systemPrompt: request.system }),
    ...(request.preferences === undefined
      ? {}
      : {
          modelPreferences: {
            ...(cost === undefined ? {} : { costPriority: cost }),
            ...(speed === undefined ? {} : { speedPriority: speed }),
            ...(intelligence === undefined ? {} : { intelligencePriority: intelligence }),
          },
        }),
  };
}
