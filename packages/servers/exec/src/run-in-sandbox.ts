import type { SandboxOutput, SandboxRunner } from '@capstan/contracts';
import type { JobEnd, JobStreams } from './jobs/job.ts';
import type { PreparedRun } from './prepare-run.ts';

/** The reason why nothing was started comes on the sandbox's standard error; the output itself goes to the job. */
const errorBytes = 16 * 1024;

/** Runs an argument vector in a prepared place, its output as it comes. */
export async function runInSandbox(
  runner: SandboxRunner,
  prepared: PreparedRun,
  { argv, milliseconds }: { readonly argv: readonly string[]; readonly milliseconds: number },
  { signal, onOutput }: JobStreams,
): Promise<JobEnd> {
  let written = 0;
  const output = await runner.run({
    argv,
    profile: prepared.profile({ milliseconds, outputBytes: errorBytes }),
    signal,
    onOutput: (stream, chunk) => {
      if (stream === 'stderr') written += chunk.length;
      onOutput(stream, chunk);
    },
  });
  const word = wordOfSandbox(output, Math.min(written, errorBytes));
  return { ended: output.ended, exitCode: output.exitCode, ...(word === '' ? {} : { word }) };
}

/** What the sandbox itself says, behind what the command wrote. */
function wordOfSandbox({ stderr }: SandboxOutput, written: number): string {
  return Buffer.from(stderr.subarray(written)).toString('utf8').trim();
}
