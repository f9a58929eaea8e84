import { type SteadyClock, sizes } from '@capstan/contracts';
import { defineTool, type Tool, type ToolReply } from '@capstan/tool-server';
import { z } from 'zod';
import { commandFailures } from '../commands/command-failures.ts';
import { describeState } from '../commands/run-reply.ts';
import type { RunParts } from '../run-parts.ts';
import { type Job, JobState } from './job.ts';
import type { OutputPiece } from './job-output.ts';

/** Hosts give up on a call after a minute. */
const longestWait = 50;
/** Room for what stands before the output. */
const pieceBytes = sizes.execOutput - 512;

export const jobIdArgument = z.string().min(1).max(50).describe('A job id, e.g. "job-3"');

/** The tool that reads what a job wrote, and waits for more. */
export function readJobTool({ jobs, clock }: Pick<RunParts, 'jobs' | 'clock'>): Tool {
  return defineTool({
    name: 'read_job',
    title: 'Read job',
    description:
      'Reads the output of a job, or of a run that has ended, from an offset on: up to 8 KiB and the next ' +
      'offset. It can wait: for more output, for a text such as "listening on", or for the end. Of long outputs the first ' +
      '8 MiB and the end are kept. Use list_jobs to see which jobs there are.',
    tier: 'read',
    idempotent: true,
    input: z.strictObject({
      jobId: jobIdArgument,
      offset: z.int().min(0).default(0).describe('In bytes: the nextOffset of the last answer, e.g. 8192'),
      waitSeconds: z
        .number()
        .min(0)
        .max(longestWait)
        .default(0)
        .describe('Wait so long for more output, for "until" or for the end, e.g. 20'),
      until: z.string().min(1).max(200).optional().describe('A text to wait for, e.g. "listening on"'),
    }),
    output: z.strictObject({
      job: JobState,
      text: z.string(),
      offset: z.number().describe('Where the text begins'),
      nextOffset: z.number(),
      skipped: z.number().describe('Bytes before it that are left out'),
      foundAt: z.number().nullable().describe('Where "until" stands'),
    }),
    handler: async ({ jobId, offset, waitSeconds, until }, { signal }) => {
      const job = jobs.get(jobId);
      if (job === undefined) return commandFailures.unknownJob(jobId, jobs.all);
      const foundAt = await waitFor(job, { offset, milliseconds: waitSeconds * 1000, until }, clock, signal);
      return answer(job, offset, foundAt, until);
    },
  });
}

interface Wait {
  readonly offset: number;
  readonly milliseconds: number;
  readonly until: string | undefined;
}

/** Gives where the text stands that was waited for, if it came. */
async function waitFor(job: Job, { offset, milliseconds, until }: Wait, clock: SteadyClock, signal: AbortSignal) {
  const deadline = clock.steady() + milliseconds;
  let from = offset;
  for (;;) {
    // Looked at before, so that nothing that comes in between is missed.
    const isLast = !job.isRunning || signal.aborted || clock.steady() >= deadline;
    job.output.settle();
    const { total } = job.output;
    const found = until === undefined ? undefined : job.output.find(until, from);
    if (found !== undefined || isLast || (until === undefined && total > offset)) return found;
    from = Math.max(offset, total - Buffer.byteLength(until ?? ''));
    await job.change(deadline - clock.steady(), signal);
  }
}

function answer(job: Job, offset: number, foundAt: number | undefined, until: string | undefined): ToolReply {
  // What was waited for is shown, also where more stands before it than one answer takes.
  const isFar = foundAt !== undefined && foundAt + Buffer.byteLength(until ?? '') > offset + pieceBytes;
  const begin = isFar ? foundAt - Math.floor(pieceBytes / 2) : offset;
  const piece = job.output.read(begin, pieceBytes);
  const skipped = piece.skipped + Math.max(0, begin - offset);
  const structured = { job: job.state, ...piece, skipped, foundAt: foundAt ?? null };
  return { text: inWords(job, { ...piece, skipped }, foundAt, until), structured };
}

function inWords(job: Job, piece: OutputPiece, foundAt: number | undefined, until: string | undefined): string {
  const waited =
    until === undefined
      ? []
      : [`"${until.slice(0, 50)}" ${foundAt === undefined ? 'did not come' : `stands at ${foundAt}`}.`];
  const gap = piece.skipped === 0 ? [] : [`${piece.skipped} bytes before this were left out.`];
  const more = piece.nextOffset < job.output.total ? 'There is more.' : 'That is all so far.';
  const place = `Bytes ${piece.offset} to ${piece.nextOffset}. ${more}`;
  return [describeState(job), ...waited, ...gap, place, '', piece.text].join('\n').toWellFormed();
}
