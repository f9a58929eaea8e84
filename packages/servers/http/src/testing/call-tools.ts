import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve as resolvePath } from 'node:path';
import type { TestContext } from 'node:test';
import type { Failure } from '@capstan/contracts';
import type { Tool } from '@capstan/tool-server';
import type { AnswerReply } from '../content/answer.ts';
import type { Resolve } from '../network/resolve-host.ts';
import { openServer } from '../open-server.ts';

export interface ToolSetting {
  /** The configuration as it would stand in the file. */
  readonly config: object;
  readonly environment?: Readonly<Record<string, string>>;
  /** Plays the name server; by default each name leads to 127.0.0.1. */
  readonly resolve?: Resolve;
  readonly files?: Readonly<Record<string, string>>;
}

interface CalledTool {
  readonly text: string;
  readonly structured: AnswerReply;
  readonly failure: Failure | undefined;
}

export type CallTool = (name: string, input: Record<string, unknown>, signal?: AbortSignal) => Promise<CalledTool>;

/** Opens the tools as the server's main file does, with a name server of the test. */
export async function openTools(t: Pick<TestContext, 'after'>, setting: ToolSetting): Promise<Tool[]> {
  const folder = await mkdtemp(join(tmpdir(), 'capstan-http-'));
  t.after(() => rm(folder, { recursive: true }));
  const file = join(folder, 'http.json');
  await writeFile(file, JSON.stringify(setting.config));
  for (const [name, text] of Object.entries(setting.files ?? {})) await writeFile(join(folder, name), text);
  const { tools } = await openServer({
    file,
    environment: setting.environment ?? {},
    readFile: (path) => readFile(resolvePath(dirname(file), path)),
    resolve: setting.resolve ?? (async () => ['127.0.0.1']),
  });
  return tools;
}

/** Opens the tools and gives a function that calls them. */
export async function callTools(t: Pick<TestContext, 'after'>, setting: ToolSetting): Promise<CallTool> {
  const tools = await openTools(t, setting);
  return async (name, input, signal = new AbortController().signal) => {
    const tool = tools.find((one) => one.name === name);
    if (tool === undefined) throw new TypeError(`There is no tool ${name}`);
    const context = { signal, callId: undefined, progress: async () => {} };
    const reply = await tool.handler(tool.input.parse(input), context as never);
    if ('pending' in reply) throw new TypeError('No tool of this server asks its host');
    if ('failure' in reply)
      return { text: reply.failure.message, structured: {} as AnswerReply, failure: reply.failure };
    return { text: reply.text, structured: tool.output.parse(reply.structured) as AnswerReply, failure: undefined };
  };
}
