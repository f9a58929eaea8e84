import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Failure, SandboxKind } from '@capstan/contracts';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));

/** A temporary repository with a repair server of its own. */
export interface RepairBench {
  readonly root: string;
  /** Calls a tool; `structured` is empty after a failure. */
  call(name: string, input: Record<string, unknown>, onprogress?: (message: string) => void): Promise<ToolAnswer>;
  /** Ends the server and starts another one on the same folders. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

interface ToolAnswer {
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: answers of three tools; the server has checked them by their schemas.
  readonly structured: any;
  readonly failure: Failure | undefined;
}

/** Starts the server as the gateway does: restricted, with a cleared environment, over stdio. */
export async function openBench(
  sandbox: SandboxKind,
  files: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<RepairBench> {
  const folder = await mkdtemp(join(tmpdir(), 'capstan-repair-'));
  const [root, state] = [join(folder, 'workspace'), join(folder, 'state')];
  await mkdir(state);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  let client = await connect(sandbox, root, state, args);
  return {
    root,
    call: async (name, input, onprogress) => {
      const seen = (progress: { message?: string | undefined }): void => onprogress?.(progress.message ?? '');
      const options = { timeout: 300_000, ...(onprogress === undefined ? {} : { onprogress: seen }) };
      const result = await client.callTool({ name, arguments: input }, options);
      const [first] = result.content;
      return {
        text: first?.type === 'text' ? first.text : '',
        structured: result.structuredContent ?? {},
        failure: result._meta?.['capstan/failure'] as Failure | undefined,
      };
    },
    restart: async () => {
      await client.close();
      client = await connect(sandbox, root, state, args);
    },
    close: async () => {
      await client.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function connect(sandbox: SandboxKind, root: string, state: string, args: readonly string[]): Promise<Client> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [
      ...['--permission', '--allow-fs-read=*', `--allow-fs-write=${state}`, '--allow-fs-write=/sys/fs/cgroup'],
      ...['--allow-child-process', '--allow-addons', main, '--root', root, '--state', state, '--sandbox', sandbox],
      ...['--search-path', `${dirname(process.execPath)}:${process.env.PATH ?? ''}`, ...args],
    ],
    env: {},
    stderr: 'inherit',
  });
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'legacy' } });
  await client.connect(transport);
  return client;
}
