import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { EffectReply } from '../effect-reply.ts';

const code = fileURLToPath(new URL('../../../../..', import.meta.url));
export const main = fileURLToPath(new URL('../main.ts', import.meta.url));

export interface Answer {
  readonly text: string;
  readonly reply: EffectReply;
  readonly failure: { readonly code: string; readonly level: string } | undefined;
}

/** The real server, with the permissions of its package.json, on a folder that holds the repositories of the tests. */
export class WriteServer {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), 'capstan-git-write-')));
  readonly root = join(this.base, 'root');
  readonly state = join(this.base, 'state');
  #client: Client | undefined;
  #count = 0;

  constructor() {
    mkdirSync(this.state);
    mkdirSync(this.root);
  }

  async start(options: readonly string[] = []): Promise<void> {
    await this.#client?.close();
    const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
    const { server } = (JSON.parse(manifest) as { capstan: { server: { read: string[]; write: string[] } } }).capstan;
    const fill = (path: string) => path.replace('{root}', this.root).replace('{state}', this.state);
    const rights = [
      ...[code, ...server.read.map(fill)].map((path) => `--allow-fs-read=${path}`),
      ...server.write.map((path) => `--allow-fs-write=${fill(path)}`),
      '--allow-child-process',
    ];
    const place = ['--root', this.root, '--state', this.state, '--search-path', process.env.PATH ?? ''];
    const args = ['--permission', ...rights, main, ...place, '--identity', 'Ann 安 <ann@example.org>', ...options];
    this.#client = new Client(
      { name: 'test', version: '1.0.0' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    await this.#client.connect(
      new StdioClientTransport({ command: process.execPath, args, env: {}, stderr: 'ignore' }),
    );
  }

  get client(): Client {
    if (this.#client === undefined) throw new Error('The server was not started.');
    return this.#client;
  }

  async stop(): Promise<void> {
    await this.#client?.close();
    rmSync(this.base, { recursive: true, force: true });
  }

  /** A new repository with one commit. */
  repository(): WriteFixture {
    this.#count += 1;
    return new WriteFixture(this, `r${this.#count}`);
  }
}

/** One repository in the root of the server. */
export class WriteFixture {
  readonly server: WriteServer;
  readonly name: string;
  readonly root: string;

  constructor(server: WriteServer, name: string) {
    this.server = server;
    this.name = name;
    this.root = join(server.root, name);
    mkdirSync(this.root);
    this.git('init', '-q', '-b', 'main');
    this.put('a.txt', 'one\n');
    this.git('add', '.');
    this.git('commit', '-qm', 'first');
  }

  /** A plain git of the tests. */
  git(...args: string[]): string {
    return execFileSync('git', args, {
      cwd: this.root,
      encoding: 'utf8',
      env: {
        ...{ PATH: process.env.PATH, HOME: this.server.base, GIT_CONFIG_NOSYSTEM: '1' },
        ...{ GIT_AUTHOR_NAME: 'Bob', GIT_AUTHOR_EMAIL: 'bob@example.org' },
        ...{ GIT_COMMITTER_NAME: 'Bob', GIT_COMMITTER_EMAIL: 'bob@example.org' },
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trimEnd();
  }

  put(path: string, content: string | Buffer, mode = 0o644): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), content, { mode });
  }

  read(path: string): string {
    return readFileSync(join(this.root, path), 'latin1');
  }

  /** Names and contents of every file of the root, the git folder included. */
  digest(): string {
    const hash = createHash('sha256');
    for (const name of readdirSync(this.root, { recursive: true, encoding: 'utf8' }).sort()) {
      const path = join(this.root, name);
      hash.update(`${name} ${lstatSync(path).mode}\n`);
      if (lstatSync(path).isFile()) hash.update(readFileSync(path));
    }
    return hash.digest('hex');
  }

  async call(name: string, input: Record<string, unknown> = {}, callId?: string): Promise<Answer> {
    const meta = callId === undefined ? {} : { _meta: { 'capstan/call-id': callId } };
    const result = await this.server.client.callTool({ name, arguments: { repository: this.name, ...input }, ...meta });
    const first = result.content[0];
    return {
      text: first?.type === 'text' ? first.text : '',
      reply: result.structuredContent as EffectReply,
      failure: result._meta?.['capstan/failure'] as Answer['failure'],
    };
  }
}
