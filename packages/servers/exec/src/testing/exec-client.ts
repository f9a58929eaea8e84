import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CheckReport, Command, Failure, SandboxKind } from '@capstan/contracts';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import type { JobState } from '../jobs/job.ts';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));

/** A temporary repository with an exec server of its own, and what one wants of them in tests. */
export interface ExecBench {
  readonly root: string;
  readonly client: Client;
  /** The process of the server. */
  readonly pid: number;
  /** `run_check`. */
  run(input: Record<string, unknown>, options?: CallOptions): Promise<RunAnswer>;
  /** Any tool. */
  call(name: string, input: Record<string, unknown>, options?: CallOptions): Promise<Answer>;
  close(): Promise<void>;
}

interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onprogress?: (progress: { message?: string | undefined }) => void;
}

/** What tools of commands and jobs give. */
export interface Answer {
  readonly text: string;
  readonly failure: Failure | undefined;
  readonly job: JobState;
  readonly output: { readonly text: string; readonly dropped: number };
  readonly plan: { readonly argv: string[]; readonly directory: string };
  readonly commands: Command[];
  readonly nextOffset: number;
  readonly skipped: number;
  readonly foundAt: number | null;
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
      readAnswer<RunAnswer>(await client.callTool({ name: 'run_check', arguments: input }, callOptions)),
    call: async (name, input, callOptions) =>
      readAnswer<Answer>(await client.callTool({ name, arguments: input }, callOptions)),
    close: async () => {
      await client.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function readAnswer<Kind extends object>(result: Awaited<ReturnType<Client['callTool']>>): Kind {
  const [first] = result.content;
  const text = first?.type === 'text' ? first.text : '';
  const failure = result._meta?.['capstan/failure'] as Failure | undefined;
  return { ...(result.structuredContent as object), text, failure } as unknown as Kind;
}
