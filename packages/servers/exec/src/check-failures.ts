import type { Check, Failure } from '@capstan/contracts';
import { param, type ToolReply } from '@capstan/tool-server';
import type { CheckResult } from './run-check.ts';

/** The failures that `run_check` answers with, each with what a person can do. */
export const checkFailures = { unknownCheck, switchedOff, noSandbox, noToolchain, failureIn, sandboxFailed };

function unknownCheck(checkId: string, checks: readonly Check[]): ToolReply {
  const known = checks.map((check) => `"${check.id}"`).join(', ');
  const hint = known === '' ? 'This repository brings no checks along.' : `Use one of: ${known}.`;
  return param(`There is no check "${checkId}" here.`, hint, 'unknown-check');
}

function switchedOff(checkId: string): { readonly failure: Failure } {
  const hint = 'Go on without it; a person can change the configuration (capstan config).';
  return param(`The configuration switches ${checkId} off.`, hint, 'check-off');
}

function noSandbox(): { readonly failure: Failure } {
  return {
    failure: {
      level: 'fatal',
      code: 'no-sandbox',
      message: 'There is no sandbox on this machine, so nothing of the repository is run.',
      hint: 'Install bubblewrap, or allow unprivileged user namespaces; `capstan doctor` says which.',
    },
  };
}

function noToolchain(check: Check, missing: readonly string[]): ToolReply {
  const hint = `Install ${missing.join(' and ')} so that it is on the PATH of Capstan.`;
  return lacking(`${check.id} needs ${missing.join(' and ')}, which was not found.`, hint);
}

/** What kept a run from saying anything about the code; undefined where it does. */
function failureIn(check: Check, result: CheckResult): ToolReply | undefined {
  const { report, stderr, ended } = result;
  if (ended === 'cancelled')
    return { failure: { level: 'param', code: 'cancelled', message: 'The run was cancelled.' } };
  if (ended === 'not-started') return { failure: sandboxFailed(stderr.trim().slice(-1000).toWellFormed()) };
  if (result.tooOld !== undefined) return lacking(result.tooOld, 'Put a newer Node first on the PATH of Capstan.');
  const module = /No module named '?pytest'?/.exec(stderr);
  if (check.framework === 'pytest' && report.tests.length === 0 && module !== null)
    return noToolchain(check, ['pytest']);
  if (report.exitCode !== 127 || !(report.tests.length === 0 || result.separate === true)) return undefined;
  const launched = /env: '?([^':\n]+)'?: No such file/.exec(stderr)?.[1];
  if (launched !== undefined) return noToolchain(check, [launched]);
  const called = /sh: (?:\d+: |line \d+: )?([^\s:]+): (?:command )?not found/.exec(stderr)?.[1];
  if (called === undefined) return undefined;
  const hint = 'Install the dependencies of the repository (for instance with npm ci), or the program itself.';
  return lacking(`${check.id} calls ${called}, which is not installed.`, hint);
}

function lacking(message: string, hint: string): ToolReply {
  return { failure: { level: 'fatal', code: 'no-toolchain', message, hint } };
}

/** The failure of a run that the sandbox did not begin, with its own words. */
function sandboxFailed(reason: string): Failure {
  return {
    level: 'fatal',
    code: 'no-sandbox',
    message: `The sandbox could not be set up: ${reason}`,
    hint: '`capstan doctor` tries the sandbox and says what is missing.',
  };
}
