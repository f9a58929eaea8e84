import { flushCompileCache } from 'node:module';
import { runCommandLine } from './command-line.ts';
import { isStyled } from './is-styled.ts';
import { readSettings } from './settings.ts';
import type { Terminal } from './terminal.ts';

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    // The second one means it: the state is on disk after every step, so nothing is lost.
    if (stop.signal.aborted) process.exit(130);
    stop.abort(new Error(`stopped by ${signal}`));
  });
}

const terminal: Terminal = {
  out: (text) => process.stdout.write(text),
  error: (text) => process.stderr.write(text),
  interactive: process.stdout.isTTY === true,
  styled: isStyled(process.env, process.stdout.isTTY === true),
  columns: process.stdout.columns,
  ask: process.stdin.isTTY === true && process.stdout.isTTY === true ? ask : undefined,
};

async function ask(question: string, signal?: AbortSignal): Promise<string | undefined> {
  const { askInTerminal } = await import('./ask-in-terminal.ts');
  return askInTerminal(question, {
    input: process.stdin,
    output: process.stdout,
    signal: signal === undefined ? stop.signal : AbortSignal.any([stop.signal, signal]),
    onInterrupt: () => process.kill(process.pid, 'SIGINT'),
  });
}

// A reader that closes the pipe (`| head`) or a terminal that is closed is no reason to fail.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'EPIPE' && cause.code !== 'EIO') throw cause;
  });
}

// With these set, LangChain would send every trace to a service outside.
for (const name of Object.keys(process.env)) if (/^(LANGSMITH|LANGCHAIN)_/.test(name)) delete process.env[name];

const settings = readSettings(process.env, process.cwd(), process.execPath);
process.exitCode = await runCommandLine(process.argv.slice(2), settings, { terminal, signal: stop.signal });
flushCompileCache();
