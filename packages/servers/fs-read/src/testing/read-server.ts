import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, type ContentBlock } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));
const code = fileURLToPath(new URL('../../../../..', import.meta.url));

const modes = { legacy: 'legacy', '2026-07-28': { pin: '2026-07-28' } } as const;
export type Era = keyof typeof modes;

interface Manifest {
  readonly capstan: {
    readonly server: { readonly read: string[]; readonly write: string[]; readonly childProcess: boolean };
  };
}

export interface Reply {
  readonly text: string;
  readonly structured: Record<string, unknown>;
  readonly failure: { readonly code: string; readonly message: string; readonly hint: string } | undefined;
  readonly content: readonly ContentBlock[];
}

/** The real process on a workspace of its own, started as the gateway starts it: permissions of its package.json, no environment. */
export class ReadServer {
  /** Holds the workspace and what lies outside of it. */
  readonly base: string;
  readonly root: string;
  readonly client: Client;
  #transport: StdioClientTransport | undefined;

  private constructor(base: string, era: Era) {
    this.client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: modes[era] } });
    this.base = base;
    this.root = join(base, 'root');
  }

  /** A workspace without files; `start` starts the process. */
  static async prepare(era: Era = '2026-07-28'): Promise<ReadServer> {
    const server = new ReadServer(await mkdtemp(join(tmpdir(), 'capstan-fs-read-')), era);
    await mkdir(server.root);
    return server;
  }

  async start(): Promise<void> {
    const manifest = new URL('../../package.json', import.meta.url);
    const { server } = (JSON.parse(await readFile(manifest, 'utf8')) as Manifest).capstan;
    assert.deepEqual([server.write, server.childProcess], [[], false]);
    const reads = [code, ...server.read].map((path) => `--allow-fs-read=${path.replace('{root}', this.root)}`);
    const args = ['--permission', ...reads, main, '--root', this.root];
    this.#transport = new StdioClientTransport({ command: process.execPath, args, env: {}, stderr: 'inherit' });
    await this.client.connect(this.#transport);
  }

  get pid(): number {
    return this.#transport?.pid ?? Number.NaN;
  }

  async put(path: string, content: string | Buffer): Promise<void> {
    await mkdir(dirname(join(this.root, path)), { recursive: true });
    await writeFile(join(this.root, path), content);
  }

  async call(name: string, input: Record<string, unknown>): Promise<Reply> {
    const result = await this.client.callTool({ name, arguments: input });
    const first = result.content[0];
    return {
      text: first?.type === 'text' ? first.text : '',
      structured: (result.structuredContent ?? {}) as Record<string, unknown>,
      failure: result._meta?.['capstan/failure'] as Reply['failure'],
      content: result.content,
    };
  }

  async end(): Promise<void> {
    await this.client.close();
    await rm(this.base, { recursive: true, force: true });
  }
}
