import type { ModelAnswer, ModelRequest, ModelToolCall } from '@capstan/contracts';

/** The parts of a LangChain message chunk that are read here. */
export interface AnswerPiece {
  readonly content: unknown;
  readonly tool_call_chunks?: readonly CallPiece[];
  readonly usage_metadata?: { readonly input_tokens: number; readonly output_tokens: number };
  readonly response_metadata?: { readonly finish_reason?: unknown };
}

interface CallPiece {
  readonly index?: number;
  readonly id?: string;
  readonly name?: string;
  readonly args?: string;
}

interface OpenCall {
  readonly index: number | undefined;
  id: string;
  name: string;
  text: string;
}

/** Thrown when a stream ended before the model had said that it was done. */
export class CutStreamError extends Error {
  override readonly name = 'CutStreamError';
}

/** Puts the pieces of one stream together. Arguments are parsed once, at the end, strictly: never guessed from a part. */
export class AnswerCollector {
  readonly #request: Pick<ModelRequest, 'messages' | 'tools' | 'onText'>;
  readonly #calls: OpenCall[] = [];
  #text = '';
  #finished = false;
  #usage: ModelAnswer['usage'] | undefined;

  constructor(request: Pick<ModelRequest, 'messages' | 'tools' | 'onText'>) {
    this.#request = request;
  }

  add(piece: AnswerPiece): void {
    if (typeof piece.content === 'string' && piece.content !== '') {
      this.#text += piece.content;
      this.#request.onText?.(piece.content);
    }
    for (const part of piece.tool_call_chunks ?? []) this.#addCall(part);
    if (piece.usage_metadata !== undefined) {
      const { input_tokens, output_tokens } = piece.usage_metadata;
      this.#usage = { promptTokens: input_tokens, completionTokens: output_tokens };
    }
    if (typeof piece.response_metadata?.finish_reason === 'string') this.#finished = true;
  }

  /** The whole answer. Throws `CutStreamError` when the model had not said that it was done. */
  end(): ModelAnswer {
    if (!this.#finished) throw new CutStreamError('the stream ended in the middle of an answer');
    const calls: ModelToolCall[] = [];
    const malformed: ModelAnswer['malformed'] = [];
    for (const [position, call] of this.#calls.entries()) {
      const id = call.id === '' ? `call-${position}` : call.id;
      const parsed = parseArguments(call);
      if ('reason' in parsed) malformed.push({ id, name: call.name, reason: parsed.reason });
      else calls.push({ id, name: call.name, arguments: parsed.value });
    }
    return { text: this.#text, calls, malformed, usage: this.#usage ?? this.#estimate() };
  }

  #addCall(part: CallPiece): void {
    const open = this.#calls.findLast((call) => call.index === part.index) ?? this.#last(part);
    // Some endpoints give every call of an answer the same index: a new id then begins a new call.
    const isNew =
      open === undefined || (part.id !== undefined && part.id !== '' && open.id !== '' && open.id !== part.id);
    const call = isNew ? { index: part.index, id: '', name: '', text: '' } : open;
    if (isNew) this.#calls.push(call);
    if (call.id === '') call.id = part.id ?? '';
    // The name comes whole, in the first piece; endpoints that repeat it do not lengthen it.
    if (call.name === '') call.name = part.name ?? '';
    call.text += part.args ?? '';
  }

  #last(part: CallPiece): OpenCall | undefined {
    return part.index === undefined ? this.#calls.at(-1) : undefined;
  }

  /** About four bytes a token: an endpoint that reports no usage must not escape the budget. */
  #estimate(): ModelAnswer['usage'] {
    const { messages, tools } = this.#request;
    const answered =
      this.#text.length + this.#calls.reduce((sum, call) => sum + call.name.length + call.text.length, 0);
    return {
      promptTokens: Math.ceil(Buffer.byteLength(JSON.stringify([messages, tools])) / 4),
      completionTokens: Math.ceil(answered / 4),
    };
  }
}

function parseArguments(call: OpenCall): { value: Record<string, unknown> } | { reason: string } {
  if (call.name === '') return { reason: 'the call has no name' };
  if (call.text.trim() === '') return { value: {} };
  try {
    const value: unknown = JSON.parse(call.text);
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) {
      return { value: value as Record<string, unknown> };
    }
    return { reason: 'the arguments are not a JSON object' };
  } catch (thrown) {
    return { reason: `the arguments are not valid JSON: ${thrown instanceof Error ? thrown.message : String(thrown)}` };
  }
}
