import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));
const code = fileURLToPath(new URL('../../../../..', import.meta.url));

interface Manifest {
  readonly capstan: {
    readonly server: {
      readonly read: string[];
      readonly write: string[];
      readonly childProcess: boolean;
    };
  };
}

interface Structured {
  readonly changeId: string;
  readonly files: readonly { path: string; change: string; sha256: string; from?: string; notes: string[] }[];
  readonly diff: string;
}

export interface Reply {
  readonly text: string;
  readonly structured: Structured;
  readonly code: string | undefined;
}

/** The real process on a workspace of its own, started as the gateway starts it: permissions of its package.json, no environment. */
export class WriteServer {
  /** Holds the workspace, the state folder and what lies outside of both. */
  readonly base: string;
  readonly root: string;
  #client: Client | undefined;
  #transport: StdioClientTransport | undefined;

  readonly #more: readonly string[];

  private constructor(base: string, more: readonly string[]) {
    this.base = base;
    this.#more = more;
    this.root = join(base, 'root');
  }

  /** A started server on an empty workspace, with more arguments. */
  static async open(...more: string[]): Promise<WriteServer> {
    const server = new WriteServer(await mkdtemp(join(tmpdir(), 'capstan-fs-write-')), more);
    await mkdir(server.root);
    await server.start();
    return server;
  }

  async start(): Promise<void> {
    const state = join(this.base, 'state');
    await mkdir(state, { recursive: true });
    const manifest = new URL('../../package.json', import.meta.url);
    const { server } = (JSON.parse(await readFile(manifest, 'utf8')) as Manifest).capstan;
    assert.equal(server.childProcess, false);
    const allow = (kind: string, folders: string[]) =>
      folders.map((folder) => `--allow-fs-${kind}=${folder.replace('{root}', this.root).replace('{state}', state)}`);
    const rights = [...allow('read', [code, ...server.read]), ...allow('write', server.write)];
    const args = ['--permission', ...rights, main, '--root', this.root, '--state', state, ...this.#more];
    this.#client = new Client(
      { name: 'test', version: '1.0.0' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    this.#transport = new StdioClientTransport({ command: process.execPath, args, env: {}, stderr: 'inherit' });
    await this.#client.connect(this.#transport);
  }

  get pid(): number {
    const pid = this.#transport?.pid;
    assert.ok(typeof pid === 'number');
    return pid;
  }

  async call(name: string, input: Record<string, unknown>, callId?: string): Promise<Reply> {
    assert.ok(this.#client);
    const meta = callId === undefined ? {} : { _meta: { 'capstan/call-id': callId } };
    const result = await this.#client.callTool({ name, arguments: input, ...meta });
    const first = result.content[0];
    return {
      text: first?.type === 'text' ? first.text : '',
      structured: result.structuredContent as Structured,
      code: (result._meta?.['capstan/failure'] as { code: string } | undefined)?.code,
    };
  }

  async put(path: string, content: string | Buffer): Promise<void> {
    await mkdir(dirname(join(this.root, path)), { recursive: true });
    await writeFile(join(this.root, path), content);
  }

  /** The bytes of a file as a text of Latin-1. */
  async content(path: string): Promise<string> {
    return readFile(join(this.root, path), 'latin1');
  }

  /** Empties the workspace. */
  async empty(): Promise<void> {
    for (const name of await readdir(this.root)) await rm(join(this.root, name), { recursive: true });
  }

  async close(): Promise<void> {
    await this.#client?.close();
  }

  async end(): Promise<void> {
    await this.close();
    await rm(this.base, { recursive: true, force: true });
  }
}
