import { defineTool, type Tool } from '@capstan/tool-server';
import { z } from 'zod';
import { commandFailures } from '../commands/command-failures.ts';
import { dryRunArgument } from '../commands/run-arguments.ts';
import { describeState } from '../commands/run-reply.ts';
import { JobState } from './job.ts';
import type { JobTable } from './job-table.ts';
import { jobIdArgument } from './read-job-tool.ts';

/** The tool that ends a job and all that it started. */
export function stopJobTool(jobs: JobTable): Tool {
  return defineTool({
    name: 'stop_job',
    title: 'Stop job',
    description:
      'Ends a job and everything that it started, whatever that does about it, and returns when it is gone. Use it when a ' +
      'server or a watcher is not needed any more. A job that has ended stays as it is; its output can still be read with ' +
      'read_job. To see which jobs run use list_jobs.',
    tier: 'write',
    idempotent: true,
    input: z.strictObject({ jobId: jobIdArgument, dryRun: dryRunArgument }),
    output: z.strictObject({ job: JobState }),
    handler: async ({ jobId, dryRun }) => {
      const job = jobs.get(jobId);
      if (job === undefined) return commandFailures.unknownJob(jobId, jobs.all);
      const ends = job.isRunning;
      if (dryRun) {
        const text = ends ? `Would end ${describeState(job)}` : `Would do nothing: ${describeState(job)}`;
        return { text, structured: { job: job.state } };
      }
      job.stop();
      await job.done;
      return { text: describeState(job), structured: { job: job.state } };
    },
  });
}
