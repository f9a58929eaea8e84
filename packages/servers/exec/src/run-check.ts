import {
  type CheckOutput,
  type CheckRun,
  goText,
  mayBeOldNode,
  oldNode,
  readReport,
  reportRequest,
} from '@capstan/checks';
import { workspaceInside } from '@capstan/contained-server';
import type { Check, CheckReport, SandboxOutput, SandboxProfile, SandboxRunner } from '@capstan/contracts';
import { OutputWindow } from './output-window.ts';
import { type ReportFolder, reportsInside } from './report-folder.ts';

/** One run of a check as it is to be made. */
export interface CheckOrder {
  readonly check: Check;
  readonly milliseconds: number;
  readonly signal: AbortSignal;
  /** Called with what the repository's own command writes. */
  onOutput(stream: 'stdout' | 'stderr', chunk: Uint8Array): void;
  readonly folder: ReportFolder;
  /** Further flags for the runner. */
  readonly flags: readonly string[];
  /** The sandbox profile for an environment and a time limit. */
  profile(environment: Readonly<Record<string, string>>, milliseconds: number): SandboxProfile;
}

/** What came of it. */
export interface CheckResult {
  readonly report: CheckReport;
  readonly ended: SandboxOutput['ended'];
  readonly stderr: string;
  readonly output: OutputWindow;
  /** What was different from a plain run, for whoever reads the result. */
  readonly notes: readonly string[];
  /** In words, when not one test passed because the Node that ran them is too old. */
  readonly tooOld?: string;
  /** True when the single tests come from a second run: the repository's own command said nothing of them. */
  readonly separate?: boolean;
}

/**
 * Runs a check in the sandbox and reads its report. The repository's own command gives the verdict. Where its report
 * takes a second run, that one gets what is left of the time.
 */
export async function runCheck(runner: SandboxRunner, order: CheckOrder): Promise<CheckResult> {
  const { check, folder } = order;
  const request = reportRequest(check, reportsInside, order.flags);
  const files = request.file === undefined ? [] : [request.file];
  const output = new OutputWindow();
  const notes: string[] = [];
  let own = await runOnce(runner, order, request, order.milliseconds, output);
  if (refusesReporter(own)) {
    notes.push('This Node is too old for a report of single tests: judged by the exit code.');
    own = await runOnce(runner, order, { argv: check.argv, environment: {} }, order.milliseconds, output);
  }
  const ownFiles = await folder.read(files);
  const left = order.milliseconds - own.durationMs;
  let details: CheckOutput | undefined;
  const missing = request.file !== undefined && ownFiles[request.file] === undefined;
  const wanted = request.details?.ifMissing === true ? missing : true;
  if (request.details !== undefined && wanted && own.ended === 'exit' && left > 0) {
    notes.push(`The single tests come from a second run, of ${request.details.argv.slice(0, 3).join(' ')}.`);
    const second = await runOnce(runner, order, request.details, left, undefined);
    details = toCheckOutput(second, await folder.read(files));
  }
  const run: CheckRun = {
    ...toCheckOutput(own, ownFiles),
    ended: own.ended,
    durationMs: Math.round(own.durationMs),
    root: workspaceInside,
    ...(details === undefined ? {} : { details }),
  };
  const report = readReport(check, run);
  const note = await nodeNote(runner, order, report, run);
  if (note !== undefined) notes.push(note);
  const ranNothing = note !== undefined && report.passed === 0;
  return {
    report,
    ended: own.ended,
    stderr: run.stderr,
    output: check.framework === 'go' ? goWindow(run) : output,
    notes,
    ...(ranNothing ? { tooOld: note } : {}),
    ...(details === undefined ? {} : { separate: true }),
  };
}

async function runOnce(
  runner: SandboxRunner,
  order: CheckOrder,
  command: { readonly argv: readonly string[]; readonly environment: Readonly<Record<string, string>> },
  milliseconds: number,
  window: OutputWindow | undefined,
): Promise<SandboxOutput> {
  return runner.run({
    argv: command.argv,
    profile: order.profile(command.environment, milliseconds),
    signal: order.signal,
    onOutput: (stream, chunk) => {
      if (window === undefined) return;
      window.add(stream, chunk);
      order.onOutput(stream, chunk);
    },
  });
}

function toCheckOutput(output: SandboxOutput, files: Readonly<Record<string, string>>): CheckOutput {
  const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');
  return { exitCode: output.exitCode, stdout: text(output.stdout), stderr: text(output.stderr), files };
}

/** Node before 20 does not take reporters from NODE_OPTIONS: it exits at once and has run nothing. */
function refusesReporter(output: SandboxOutput): boolean {
  return output.exitCode === 9 && Buffer.from(output.stderr).includes('is not allowed in NODE_OPTIONS');
}

/** Asks the Node that ran for its version, where the run reads as if it was too old. */
async function nodeNote(
  runner: SandboxRunner,
  order: CheckOrder,
  report: CheckReport,
  run: CheckRun,
): Promise<string | undefined> {
  const text = [run.stdout, run.stderr, ...report.tests.map(({ message = '' }) => message)].join('\n');
  const wanted = order.check.framework === 'node-test' && report.outcome === 'failed' && mayBeOldNode(text);
  if (!wanted) return undefined;
  const asked = await runOnce(runner, order, { argv: ['node', '--version'], environment: {} }, 10_000, undefined);
  return oldNode(text, Buffer.from(asked.stdout).toString('utf8').trim());
}

/** Of go's events, what a person would have seen. */
function goWindow(run: CheckRun): OutputWindow {
  const window = new OutputWindow();
  window.addText(goText(run.stdout));
  window.addText(run.stderr);
  return window;
}
