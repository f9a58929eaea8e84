import assert from 'node:assert/strict';
import type { Scenario } from './checkouts.ts';
import { processesNaming, untilNone } from './processes.ts';
import type { Finished } from './run-capstan.ts';

/** Fails when a process that names the scenario's folder is still there. */
export async function nothingLeft(scenario: Scenario): Promise<void> {
  assert.deepEqual(await untilNone(() => processesNaming(scenario.base)), [], 'no process is left');
}

/** What a person reads at the end, without what differs from run to run. */
export function endingText({ exitCode, stdout, stderr }: Finished, { base }: Scenario): string {
  const ending = stdout
    .split(/^(?=(?:Done|Not solved|Waiting for a person|Denied|Failed)\b)/m)
    .slice(1)
    .join('');
  return (
    `exit ${exitCode}\n${ending}${stderr}`
      .replaceAll(base, '<base>')
      .replaceAll(/session-[0-9a-f]{4,}/g, '<session>')
      // Root works on a read-only mount, others on a folder without the right to write.
      .replaceAll(/\((EROFS|EACCES)\)/g, '(<reason>)')
      .replaceAll(/\d+(\.\d+)? s\b/g, '<time>')
      // Each new family of repairs changes how many are tried.
      .replaceAll(/Candidates tried: \d+/g, 'Candidates tried: <count>')
      // ... and whether a second one passes, and how much of that is found in the time there is.
      .replaceAll(/Another patch passes the same tests and behaves differently: .*? would decide\. /g, '')
      .replaceAll(/("[^"]+ > adds \d+"(, )?)+/g, '<unstable tests>')
  );
}
