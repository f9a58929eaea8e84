import type { Command, Failure } from '@capstan/contracts';
import { param } from '@capstan/tool-server';
import { checkFailures } from '../check-failures.ts';
import type { Job } from '../jobs/job.ts';
import { calls, mostInBackground } from '../jobs/job-table.ts';

interface Failed {
  readonly failure: Failure;
}

/** The failures of commands and jobs, each with what to do instead. */
export const commandFailures = {
  unknownCommand,
  switchedOff: checkFailures.switchedOff,
  noSandbox: checkFailures.noSandbox,
  noProgram,
  workspaceGone,
  busy,
  cancelled,
  tooManyJobs,
  tooMuchOutput,
  unknownJob,
  failureOf,
};

function unknownCommand(commandId: string, known: readonly Command[]): Failed {
  const shown = known.slice(0, 30).map(({ id }) => `"${id}"`);
  const more = known.length > shown.length ? ` and ${known.length - shown.length} more: see list_commands` : '';
  const hint =
    shown.length === 0 ? 'This repository brings no commands along.' : `Use one of: ${shown.join(', ')}${more}.`;
  return param(`There is no command "${commandId}" here.`, hint, 'unknown-command');
}

/** A model can do something else: unlike a check that cannot be run, this is no end of the work. */
function noProgram(command: string, missing: readonly string[]): Failed {
  const hint = `Use another command, or ask a person to install ${missing.join(' and ')}.`;
  return param(`${command} needs ${missing.join(' and ')}, which was not found.`, hint, 'no-toolchain');
}

function workspaceGone(): Failed {
  const hint = 'Start the server again with a folder that is there.';
  return { failure: { level: 'fatal', code: 'workspace-lost', message: 'The workspace is not there any more.', hint } };
}

function busy(): Failed {
  const message = `${calls.atOnce} commands are running and ${calls.waiting} are waiting; no more are taken.`;
  return {
    failure: { level: 'retryable', code: 'busy', message, hint: 'Call again when some have ended.', afterMs: 2000 },
  };
}

function cancelled(): Failed {
  return { failure: { level: 'param', code: 'cancelled', message: 'The run was cancelled.' } };
}

function tooManyJobs(): Failed {
  const hint = 'End one with stop_job; list_jobs says which there are.';
  return param(`${mostInBackground} jobs are running; no more are started.`, hint, 'too-many-jobs');
}

function tooMuchOutput(command: string): Failed {
  const message = `${command} was ended: it wrote more than 2 GiB.`;
  return param(message, 'Find what writes without end, or run a part of it.', 'output-limit');
}

function unknownJob(jobId: string, known: readonly Job[]): Failed {
  const ids = known.map(({ id }) => id).slice(-30);
  const there = ids.length === 0 ? 'There are none' : `There are ${ids.join(', ')}`;
  const hint = `${there}. Jobs end with this server, and old ones are forgotten.`;
  return param(`There is no job "${jobId}".`, hint, 'unknown-job');
}

/** What kept a run from telling anything; undefined where it told something. */
function failureOf(job: Job): Failed | undefined {
  if (job.fault !== undefined) return { failure: job.fault };
  const { state, exitCode } = job.state;
  const said = job.output.show(1000).text.trim();
  if (state === 'not-started') return { failure: checkFailures.sandboxFailed(said) };
  if (state === 'stopped') return cancelled();
  const missing = exitCode === 127 ? /^env: [‘'"]?([^':\n’]+)[’'"]?: No such file/m.exec(said)?.[1] : undefined;
  return missing === undefined ? undefined : noProgram(job.order.command, [missing]);
}
