import { detectChecks, permitChecks, withoutManager } from '@capstan/checks';
import { type Check, CheckReport, type SandboxRunner, sizes } from '@capstan/contracts';
import { defineTool, type Tool, type ToolContext, type ToolReply } from '@capstan/tool-server';
import { z } from 'zod';
import { checkFailures } from './check-failures.ts';
import { commandFailures } from './commands/command-failures.ts';
import { runnerFlags } from './dependency-caches.ts';
import type { ExecOptions } from './exec-options.ts';
import type { Job, JobOrder, JobStreams } from './jobs/job.ts';
import { describePlan, RunPlan } from './plan-reply.ts';
import { planRun, prepareRun } from './prepare-run.ts';
import { progressSender } from './progress-sender.ts';
import { readOnlyNote } from './read-only-note.ts';
import { openReportFolder } from './report-folder.ts';
import { reportText } from './report-text.ts';
import { type CheckResult, runCheck } from './run-check.ts';
import type { RunParts } from './run-parts.ts';
import { findToolchain, needOfCheck, type Toolchain } from './toolchain.ts';

/** Reports of some runners are read from their output, so more of it is kept than is shown. */
const OUTPUT_BYTES = 16 * 1024 * 1024;

const Output = z.strictObject({
  report: CheckReport.optional().describe('Not after a dry run'),
  containment: z.enum(['bubblewrap', 'util-linux', 'none']),
  output: z.strictObject({ text: z.string(), dropped: z.number() }).optional(),
  plan: RunPlan.optional().describe('After a dry run'),
});

/** The tool that runs one check in the sandbox (requirements T9, T10, G8). */
export function runCheckTool(parts: RunParts): Tool {
  const { options } = parts;
  return defineTool({
    name: 'run_check',
    title: 'Run check',
    description:
      'Runs one check of this repository (its tests, its build, its linter) in a sandbox and reports which tests failed ' +
      'and why. Use it to reproduce a failure and to verify a change. There is no network, no home folder and no shell: ' +
      'only the commands that list_checks names can be run, as they stand. The output is shown up to ' +
      `${sizes.execOutput / 1024} KiB, head and tail. To change files use the fs-write server.`,
    tier: 'write',
    idempotent: true,
    input: z.strictObject({
      checkId: z.string().min(1).max(200).describe('An id from list_checks, e.g. "npm:test"'),
      timeoutMs: z
        .int()
        .min(1000)
        .optional()
        .describe(`Wall time in milliseconds, e.g. 60000; ${options.longestMs} by default, and never more than that`),
      dryRun: z.boolean().default(false).describe('Only tell what would be run, e.g. true'),
    }),
    output: Output,
    handler: async ({ checkId, timeoutMs, dryRun }, context) => {
      const { permitted, off } = permitChecks(await detectChecks(parts.reader), options.checks);
      const check = permitted.find((candidate) => candidate.id === checkId);
      if (off.some((candidate) => candidate.id === checkId)) return checkFailures.switchedOff(checkId);
      if (check === undefined) return checkFailures.unknownCheck(checkId, permitted);
      if (options.sandbox === 'none') return checkFailures.noSandbox();
      const found = await runnableCheck(parts, check);
      if ('missing' in found) return checkFailures.noToolchain(check, found.missing);
      const milliseconds = Math.min(timeoutMs ?? options.longestMs, options.longestMs);
      if (dryRun) return planCheck(parts, found.check, found.toolchain, milliseconds);
      return run(parts, found, milliseconds, context);
    },
  });
}

interface RunnableCheck {
  readonly check: Check;
  readonly toolchain: Toolchain;
  readonly notes: readonly string[];
}

/** The check with its toolchain; without its package manager where only that one is missing and can be done without. */
async function runnableCheck(
  { options, reader }: RunParts,
  check: Check,
): Promise<RunnableCheck | { readonly missing: readonly string[] }> {
  const toolchain = await findToolchain(needOfCheck(check), options);
  if (!('missing' in toolchain)) return { check, toolchain, notes: [] };
  const substitute = await withoutManager(reader, check);
  if (substitute === undefined || toolchain.missing.some((name) => name !== check.argv[0])) return toolchain;
  const other = await findToolchain(needOfCheck(substitute.check), options);
  return 'missing' in other ? toolchain : { check: substitute.check, toolchain: other, notes: [substitute.note] };
}

/** Runs it as a job, so that all of its output can be read afterwards. */
async function run(
  parts: RunParts,
  found: RunnableCheck,
  milliseconds: number,
  context: ToolContext,
): Promise<ToolReply> {
  const { check, notes } = found;
  let result: CheckResult | undefined;
  const order: JobOrder = {
    command: check.id,
    argv: check.argv,
    onLine: progressSender(context, parts.clock, check.id),
    start: async (streams) => {
      result = await runOnce(parts, found, milliseconds, streams);
      return { ended: result.ended, exitCode: result.report.exitCode };
    },
  };
  const job = await parts.jobs.run(order, context.signal);
  if (job === undefined) return commandFailures.cancelled();
  if (job.state.state === 'output-limit') return commandFailures.tooMuchOutput(check.id);
  if (result === undefined) return commandFailures.failureOf(job) ?? commandFailures.cancelled();
  const told = [...notes, ...result.notes, ...dependencyNotes(result, parts.options), ...readOnNotes(result, job)];
  return reply(check, { ...result, notes: told }, parts.runner);
}

async function runOnce(
  parts: RunParts,
  { check, toolchain }: RunnableCheck,
  milliseconds: number,
  { signal, onOutput }: JobStreams,
): Promise<CheckResult> {
  const { options, runner } = parts;
  const folder = await openReportFolder(options.state);
  try {
    const { directory } = check;
    await using prepared = await prepareRun(parts, { directory, toolchain, reportFolder: folder.path });
    return await runCheck(runner, {
      check,
      milliseconds,
      signal,
      onOutput,
      folder,
      flags: await runnerFlags(check, options),
      profile: (environment, left) => prepared.profile({ environment, milliseconds: left, outputBytes: OUTPUT_BYTES }),
    });
  } finally {
    await folder.remove();
  }
}

/** Says how to read what is not shown. */
function readOnNotes({ output }: CheckResult, { id }: Job): string[] {
  if (output.show(sizes.execOutput).dropped === 0) return [];
  return [`Not all of the output is shown: read_job with jobId "${id}" and an offset reads any part.`];
}

/** Says why a write to dependencies failed, where one did. */
function dependencyNotes(result: CheckResult, { binds }: ExecOptions): string[] {
  const messages = result.report.tests.map(({ message = '' }) => message);
  const note = readOnlyNote([...messages, result.stderr].join('\n'), binds);
  return note === undefined ? [] : [note];
}

function reply(check: Check, result: CheckResult, runner: SandboxRunner): ToolReply {
  const failure = checkFailures.failureIn(check, result);
  if (failure !== undefined) return failure;
  return {
    text: reportText(result.report, result.output, result.notes),
    structured: {
      report: result.report,
      containment: runner.kind,
      output: result.output.show(sizes.execOutput),
    },
  };
}

async function planCheck(
  { options, runner }: RunParts,
  check: Check,
  toolchain: Toolchain,
  milliseconds: number,
): Promise<ToolReply> {
  const place = { directory: check.directory, toolchain, reportFolder: options.state };
  const profile = await planRun(options, place, { milliseconds, outputBytes: OUTPUT_BYTES });
  const { plan, text } = describePlan(check.argv, profile, { root: options.root, kind: runner.kind });
  const note =
    'Nothing was run. The runner is also asked for a report, which changes neither the tests nor the exit code.';
  return { text: `${text}\n${note}`, structured: { containment: runner.kind, plan } };
}
