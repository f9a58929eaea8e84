import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const code = fileURLToPath(new URL('../../../../..', import.meta.url));
const main = fileURLToPath(new URL('../main.ts', import.meta.url));

export interface Answer {
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: each tool has its own schema, which the server itself enforces.
  readonly structured: any;
  readonly code: string | undefined;
}

/** A folder with repositories in it, and the real server on it, with the permissions of its package.json. */
export class ServedRepository {
  readonly base = mkdtempSync(join(tmpdir(), 'capstan-git-read-'));
  readonly root = join(this.base, 'root');
  readonly client = new Client(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );

  constructor() {
    mkdirSync(this.root);
    mkdirSync(join(this.base, 'state'));
  }

  async start(options: readonly string[] = []): Promise<void> {
    const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
    const { server } = (JSON.parse(manifest) as { capstan: { server: { read: string[]; write: string[] } } }).capstan;
    const state = join(this.base, 'state');
    const fill = (path: string) => path.replace('{root}', this.root).replace('{state}', state);
    const rights = [
      ...[code, ...server.read.map(fill)].map((path) => `--allow-fs-read=${path}`),
      ...server.write.map((path) => `--allow-fs-write=${fill(path)}`),
      '--allow-child-process',
    ];
    const place = ['--root', this.root, '--state', state, '--search-path', process.env.PATH ?? ''];
    const args = ['--permission', ...rights, main, ...place, ...options];
    await this.client.connect(
      new StdioClientTransport({ command: process.execPath, args, env: {}, stderr: 'inherit' }),
    );
  }

  async stop(): Promise<void> {
    await this.client.close();
    rmSync(this.base, { recursive: true, force: true });
  }

  /** A plain git of the tests, in a folder of the root. */
  git(folder: string, ...args: string[]): string {
    return execFileSync('git', args, {
      cwd: join(this.root, folder),
      encoding: 'utf8',
      env: {
        ...{ PATH: process.env.PATH, HOME: this.base, GIT_CONFIG_NOSYSTEM: '1' },
        ...{ GIT_AUTHOR_NAME: 'Ann 安', GIT_AUTHOR_EMAIL: 'ann@example.org', GIT_AUTHOR_DATE: '2026-01-02T03:04:05Z' },
        ...{ GIT_COMMITTER_NAME: 'Ann', GIT_COMMITTER_EMAIL: 'ann@example.org' },
        ...{ GIT_COMMITTER_DATE: '2026-01-02T03:04:05Z' },
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();
  }

  /** Makes an empty repository in the root. */
  init(folder: string, ...options: string[]): void {
    mkdirSync(join(this.root, folder), { recursive: true });
    this.git(folder, 'init', '-q', '-b', 'main', ...options);
  }

  put(path: string | Buffer, content: string | Buffer): void {
    const place = Buffer.isBuffer(path) ? Buffer.concat([Buffer.from(`${this.root}/`), path]) : join(this.root, path);
    if (typeof place === 'string') mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, content);
  }

  commit(folder: string, message: string): string {
    this.git(folder, 'add', '-A');
    this.git(folder, 'commit', '-q', '-m', message);
    return this.git(folder, 'rev-parse', 'HEAD');
  }

  async call(name: string, input: Record<string, unknown> = {}): Promise<Answer> {
    const result = await this.client.callTool({ name, arguments: input });
    const first = result.content[0];
    return {
      text: first?.type === 'text' ? first.text : '',
      structured: result.structuredContent,
      code: (result._meta?.['capstan/failure'] as { code: string } | undefined)?.code,
    };
  }
}
