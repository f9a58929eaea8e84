import { defineTool, type Tool } from '@capstan/tool-server';
import { z } from 'zod';
import { describeState } from '../commands/run-reply.ts';
import { JobState } from './job.ts';
import type { JobTable } from './job-table.ts';

/** The tool that tells which jobs there are. */
export function listJobsTool(jobs: JobTable): Tool {
  return defineTool({
    name: 'list_jobs',
    title: 'List jobs',
    description:
      'Lists the jobs of this server and the last runs of checks and commands: state, exit code, seconds, bytes of output ' +
      'and the last line. Jobs end with this server, and only the last twenty that ended are kept. Use it to find a job id ' +
      'again; to read an output use read_job.',
    tier: 'read',
    idempotent: true,
    input: z.strictObject({}),
    output: z.strictObject({ jobs: z.array(JobState) }),
    handler: async () => {
      const lines = jobs.all.map((job) => `- ${describeState(job)} ${job.output.lastLine().slice(0, 200)}`.trimEnd());
      const text = lines.length === 0 ? 'There are no jobs.' : lines.join('\n').toWellFormed();
      return { text, structured: { jobs: jobs.all.map((job) => job.state) } };
    },
  });
}
