import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export type Version = '2025-11-25' | '2026-07-28';
export interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

const fixture = fileURLToPath(new URL('fixtures/conformance-server.ts', import.meta.resolve('@capstan/tool-server')));
const clientInfo = { name: 'stdio-conformance', version: '1.0.0' };
const everything = { sampling: {}, elicitation: { form: {} }, roots: {} };

/** What the host answers when the server asks it, by method. */
export const hostAnswers: Readonly<Record<string, Record<string, unknown>>> = {
  'sampling/createMessage': { role: 'assistant', content: { type: 'text', text: 'Paris' }, model: 'test-model' },
  'elicitation/create': { action: 'accept', content: { name: 'Alice', username: 'alice', email: 'a@example.org' } },
  'roots/list': { roots: [{ uri: 'file:///test/root', name: 'Test Root' }] },
};

/** A host that writes and reads the lines of the protocol itself, so that nothing of an SDK mends them. */
export class StdioPeer {
  readonly version: Version;
  /** What came beside answers, in its order: notifications, and requests to the host. */
  readonly received: Message[] = [];
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #waiting = new Map<number | string, (answer: Message) => void>();
  #nextId = 1;

  private constructor(version: Version) {
    this.version = version;
    this.#child = spawn(process.execPath, [fixture], { env: {} });
    this.#child.stderr.resume();
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.#read(JSON.parse(line) as Message));
  }

  static async start(version: Version): Promise<StdioPeer> {
    const peer = new StdioPeer(version);
    if (version === '2025-11-25') {
      const params = { protocolVersion: version, capabilities: everything, clientInfo };
      peer.initialized = await peer.result('initialize', params);
      peer.write({ method: 'notifications/initialized' });
    }
    return peer;
  }

  /** The answer to `initialize`, where there is one. */
  initialized: Record<string, unknown> = {};

  /** Sends a request as its version has it; `meta` takes the place of what a request says of its host. */
  async request(
    method: string,
    params: Record<string, unknown> = {},
    meta?: Record<string, unknown>,
  ): Promise<Message> {
    const id = this.#nextId;
    this.#nextId += 1;
    const answer = new Promise<Message>((resolve) => this.#waiting.set(id, resolve));
    this.write({ id, method, params: { ...params, _meta: { ...(meta ?? this.meta()), ...asObject(params._meta) } } });
    return answer;
  }

  async result(method: string, params?: Record<string, unknown>, meta?: Record<string, unknown>) {
    const { result, error } = await this.request(method, params, meta);
    assert.equal(error, undefined);
    return result ?? assert.fail('an answer without a result');
  }

  async error(method: string, params?: Record<string, unknown>, meta?: Record<string, unknown>) {
    const { error } = await this.request(method, params, meta);
    return error ?? assert.fail(`${method} was answered with a result`);
  }

  call(name: string, input: Record<string, unknown> = {}, more: Record<string, unknown> = {}) {
    return this.result('tools/call', { name, arguments: input, ...more });
  }

  /** What each request of 2026-07-28 says of its host. */
  meta(capabilities: Record<string, unknown> = everything): Record<string, unknown> {
    if (this.version === '2025-11-25') return {};
    return {
      'io.modelcontextprotocol/protocolVersion': this.version,
      'io.modelcontextprotocol/clientInfo': clientInfo,
      'io.modelcontextprotocol/clientCapabilities': capabilities,
    };
  }

  write(message: Record<string, unknown>): void {
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  async close(): Promise<void> {
    const exit = once(this.#child, 'exit');
    this.#child.stdin.end();
    assert.deepEqual(await exit, [0, null]);
  }

  #read(message: Message): void {
    if (message.method === undefined && message.id !== undefined) {
      this.#waiting.get(message.id)?.(message);
      this.#waiting.delete(message.id);
      return;
    }
    this.received.push(message);
    if (message.id !== undefined) this.write({ id: message.id, result: hostAnswers[message.method ?? ''] ?? {} });
  }
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
