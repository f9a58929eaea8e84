import { ExitCode, errorCodes, type SandboxKind } from '@capstan/contracts';
import { preflight } from '@capstan/sandbox';
import { lintServers } from '@capstan/tool-lint';
import { configFor } from '../config-for.ts';
import { toolsDescription } from '../descriptions/tools.ts';
import { printableValue } from '../printable.ts';
import type { Settings } from '../settings.ts';
import { createStyle } from '../style.ts';
import type { CommandContext } from '../terminal.ts';
import { type ChosenServer, chooseServers } from '../tool-lint/choose-servers.ts';
import { lintLines } from '../tool-lint/lint-lines.ts';
import { type LintReport, lintReport } from '../tool-lint/lint-report.ts';
import { type Listed, listTools } from '../tool-lint/list-tools.ts';
import { readArguments } from './read-arguments.ts';

/** `capstan tools lint`: what models, hosts and people would stumble over in the tools of MCP servers. */
export async function tools(args: readonly string[], settings: Settings, context: CommandContext): Promise<number> {
  const { own, command } = splitAtCommand(args);
  const { operands, options } = readArguments(toolsDescription, own);
  const chosen = await chooseServers({ names: operands.servers, file: options.config, command }, settings);
  const listed = await listAll(chosen, settings, context.signal);
  const report = reportOn(listed);
  const { terminal } = context;
  if (options.json) terminal.out(`${JSON.stringify(report)}\n`);
  else for (const line of lintLines(printableValue(report), createStyle(terminal.styled))) terminal.out(`${line}\n`);
  return exitCodeOf(report, options.strict);
}

/** What stands behind the first `--` is a command of its own, with its own options. */
function splitAtCommand(args: readonly string[]) {
  const at = args.indexOf('--');
  return at < 0 ? { own: args, command: undefined } : { own: args.slice(0, at), command: args.slice(at + 1) };
}

/** One after the other: a machine with little memory can look at many. */
async function listAll(chosen: readonly ChosenServer[], settings: Settings, signal: AbortSignal): Promise<Listed[]> {
  const sandbox = chosen.some((server) => 'command' in server) ? await sandboxKind(settings) : 'none';
  const listed: Listed[] = [];
  for (const server of chosen) {
    signal.throwIfAborted();
    listed.push(await listTools(server, { settings, sandbox, signal }));
  }
  return listed;
}

/** The way that the person's configuration allows; `none` starts no server but ours. */
async function sandboxKind(settings: Settings): Promise<SandboxKind> {
  const { searchPath, node } = settings;
  const { require } = (await configFor(settings)).config.sandbox;
  return (await preflight({ searchPath, node, ...(require === 'any' ? {} : { kinds: [require] }) })).kind;
}

function reportOn(listed: readonly Listed[]): LintReport {
  const found = lintServers(listed.map(({ server, trust, list }) => ({ name: server, trust, tools: list })));
  return lintReport(
    listed.map(({ list: _, ...server }) => server),
    found,
  );
}

function exitCodeOf({ servers, counts }: LintReport, strict: boolean): number {
  if (servers.some(({ failure }) => failure !== undefined)) return errorCodes['server-failed'].exit;
  return counts.error > 0 || (strict && counts.warning > 0) ? ExitCode.unsolved : ExitCode.done;
}
