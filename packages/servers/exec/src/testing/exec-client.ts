import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CheckReport, Failure, SandboxKind } from '@capstan/contracts';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));

/** A temporary repository with an exec server of its own, and what one wants of them in tests. */
export interface ExecBench {
  readonly root: string;
  readonly client: Client;
  /** The process of the server. */
  readonly pid: number;
  run(input: Record<string, unknown>, options?: { signal?: AbortSignal; onprogress?: () => void }): Promise<RunAnswer>;
  close(): Promise<void>;
}

interface RunAnswer {
  readonly text: string;
  readonly report: CheckReport;
  readonly containment: SandboxKind;
  readonly output: { readonly text: string; readonly dropped: number };
  readonly plan: {
    readonly argv: string[];
    readonly masked: string[];
    readonly environment: Record<string, string>;
    readonly limits: { readonly milliseconds: number };
  };
  readonly failure: Failure | undefined;
}

export interface BenchOptions {
  readonly sandbox: SandboxKind;
  readonly files: Readonly<Record<string, string>>;
  readonly searchPath?: string;
  readonly arguments?: (root: string) => readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** Starts the server as the gateway does: restricted, with a cleared environment, over stdio. */
export async function openBench(options: BenchOptions): Promise<ExecBench> {
  const folder = await mkdtemp(join(tmpdir(), 'capstan-exec-'));
  const [root, state] = [join(folder, 'workspace'), join(folder, 'state')];
  await mkdir(state);
  for (const [path, text] of Object.entries(options.files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [
      ...[
        '--disable-warning=PERM0002',
        '--permission',
        '--allow-fs-read=*',
        `--allow-fs-write=${state}`,
        '--allow-fs-write=/sys/fs/cgroup',
      ],
      ...['--allow-child-process', main, '--root', root, '--state', state, '--sandbox', options.sandbox],
      ...['--search-path', options.searchPath ?? `${dirname(process.execPath)}:${process.env.PATH ?? ''}`],
      ...(options.arguments?.(root) ?? []),
    ],
    env: { ...options.environment },
    stderr: 'inherit',
  });
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'legacy' } });
  await client.connect(transport);
  return {
    root,
    client,
    pid: transport.pid ?? 0,
    run: async (input, callOptions) =>
      readAnswer(await client.callTool({ name: 'run_check', arguments: input }, callOptions)),
    close: async () => {
      await client.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function readAnswer(result: Awaited<ReturnType<Client['callTool']>>): RunAnswer {
  const [first] = result.content;
  const text = first?.type === 'text' ? first.text : '';
  const failure = result._meta?.['capstan/failure'] as Failure | undefined;
  return { text, failure, ...(result.structuredContent as Omit<RunAnswer, 'text' | 'failure'>) };
}
