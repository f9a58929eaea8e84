import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { LoadedConfig } from '@capstan/config';
import { ExitCode } from '@capstan/contracts';
import { preflight, toolchainFor } from '@capstan/sandbox';
import { configFor } from '../config-for.ts';
import { doctorDescription } from '../descriptions/doctor.ts';
import { nameProgram } from '../name-program.ts';
import type { Settings } from '../settings.ts';
import { createStyle } from '../style.ts';
import type { CommandContext, Terminal } from '../terminal.ts';
import { version } from '../version.ts';
import { checkoutAt } from './checkout-at.ts';
import { configFindings } from './config-findings.ts';
import { dataFolder } from './data-folder.ts';
import type { Finding } from './finding.ts';
import { overlayFinding } from './overlay-finding.ts';
import { readArguments } from './read-arguments.ts';

/** `capstan doctor`: which parts work on this machine. */
export async function doctor(
  args: readonly string[],
  settings: Settings,
  { terminal }: CommandContext,
): Promise<number> {
  const { options } = readArguments(doctorDescription, args);
  const loaded = await loadHere(settings);
  const findings = [
    node(settings),
    await git(settings),
    ...(await sandbox(settings, loaded)),
    await dataFolder(settings.home),
    ...configFindings(loaded, settings),
    ...(await toolchains(settings)),
  ];
  const broken = findings.some((finding) => finding.state === 'broken');
  if (options.json) terminal.out(`${JSON.stringify({ version: version(settings), works: !broken, findings })}\n`);
  else printFindings(findings, terminal, settings.program);
  return broken ? ExitCode.environment : ExitCode.done;
}

function printFindings(findings: readonly Finding[], { out, styled }: Terminal, program: string): void {
  const style = createStyle(styled);
  const paint = { works: style.good, missing: style.warn, broken: style.bad };
  for (const { part, state, detail, hint } of findings) {
    out(`${paint[state](state.padEnd(8))} ${part.padEnd(14)} ${detail}\n`);
    if (hint) out(`${' '.repeat(24)}${nameProgram(hint, program)}\n`);
  }
}

function node({ node: path }: Settings): Finding {
  return { part: 'node', state: 'works', detail: `${process.version} (${path})` };
}

async function git({ searchPath }: Settings): Promise<Finding> {
  return promisify(execFile)('git', ['--version'], { env: { PATH: searchPath } }).then(
    ({ stdout }) => ({ part: 'git', state: 'works', detail: stdout.trim() }),
    () => ({ part: 'git', state: 'broken', detail: 'not found on the PATH', hint: 'Install git.' }),
  );
}

/** The configuration for the checkout that the person is in, or why there is none. */
async function loadHere(settings: Settings): Promise<LoadedConfig | Error> {
  try {
    return await configFor(settings, { repository: await checkoutAt(settings.currentFolder) });
  } catch (thrown) {
    return thrown instanceof Error ? thrown : new Error(String(thrown));
  }
}

async function sandbox(settings: Settings, loaded: LoadedConfig | Error): Promise<Finding[]> {
  const { searchPath, node: path } = settings;
  const require = loaded instanceof Error ? 'any' : loaded.config.sandbox.require;
  const found = await preflight({ searchPath, node: path, ...(require === 'any' ? {} : { kinds: [require] }) });
  const tried = found.tried.map(({ kind, works, detail }) => `${kind}: ${works ? 'works' : detail}`).join('; ');
  const overlays = await overlayFinding(settings, found.kind);
  if (found.kind !== 'none')
    return [{ part: 'sandbox', state: 'works', detail: `${found.detail} [${tried}]` }, overlays];
  return [{ part: 'sandbox', state: 'broken', detail: tried, ...(found.hint ? { hint: found.hint } : {}) }, overlays];
}

async function toolchains({ searchPath }: Settings): Promise<Finding[]> {
  const names = ['node', 'npm', 'python3', 'pytest', 'cargo', 'go', 'make'];
  const { missing } = await toolchainFor(names, searchPath);
  return names.map((name) => {
    const absent = missing.includes(name);
    const detail = absent ? 'not on the PATH' : 'can be run in the sandbox';
    return { part: `tests: ${name}`, state: absent ? 'missing' : 'works', detail };
  });
}
