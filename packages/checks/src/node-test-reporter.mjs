// Runs inside the repository's own `node --test` (Node 20 and later), so it is plain JavaScript and imports nothing of
// Capstan. It appends one line per event, at once: of a run that hangs, what ended before is known.
import { appendFileSync } from 'node:fs';

const TYPES = new Set(['test:dequeue', 'test:complete', 'test:start', 'test:pass', 'test:fail']);
const MESSAGE_LENGTH = 4000;

export default async function* report(source) {
  const target = process.env.CAPSTAN_TEST_REPORT;
  const errorOutput = new Map();
  for await (const event of source) {
    if (event.type === 'test:stderr') keepEnd(errorOutput, event.data);
    if (target !== undefined && TYPES.has(event.type)) {
      appendFileSync(
        target,
        `${JSON.stringify({ process: process.pid, ...summary(event.type, event.data, errorOutput) })}\n`,
      );
    }
  }
  // Nothing goes to the stream; a generator is the shape that Node asks for.
  yield '';
}

function keepEnd(errorOutput, data) {
  errorOutput.set(data.file, `${errorOutput.get(data.file) ?? ''}${data.message}`.slice(-MESSAGE_LENGTH));
}

function summary(type, data, errorOutput) {
  const error = type === 'test:fail' ? data.details?.error : undefined;
  return {
    type: type.slice('test:'.length),
    file: data.file,
    // The file that was started: a helper's tests belong to it (Node 24).
    entry: data.entryFile ?? undefined,
    name: data.name,
    nesting: data.nesting,
    skipped: data.skip !== undefined || data.todo !== undefined ? true : undefined,
    suite: data.details?.type === 'suite' ? true : undefined,
    milliseconds: data.details?.duration_ms,
    failure: error?.failureType,
    message:
      error === undefined ? undefined : messageOf(error, errorOutput.get(data.file) ?? errorOutput.get(data.name)),
  };
}

function messageOf(error, errorOutput) {
  // A file that could not be loaded says "test failed"; why stands on its standard error.
  if (error.cause === 'test failed' && errorOutput !== undefined) return errorOutput.trim();
  const cause = error.cause instanceof Error ? error.cause : error;
  const text = typeof error.cause === 'string' ? error.cause : String(cause.message ?? cause);
  const frame = String(cause.stack ?? '')
    .split('\n')
    .find((line) => /^\s+at .*(file:|\/)/.test(line) && !/node:internal|\(node:/.test(line));
  const deeper = cause.cause instanceof Error ? `\n  caused by: ${cause.cause.message}` : '';
  return `${text}${deeper}${frame === undefined ? '' : `\n${frame.trimEnd()}`}`.slice(0, MESSAGE_LENGTH);
}
