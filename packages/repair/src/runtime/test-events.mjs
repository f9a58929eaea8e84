import { failureText } from './failure-text.mjs';

/**
 * Turns the event stream of node:test into one record per test. Runs on the repository's own Node (18.17 or later),
 * without any other file of Capstan.
 */
export function testRecorder() {
  // These events come in the order of the report, file by file: one stack is enough, and a helper's tests hang below
  // the test that called it.
  const frames = [];
  return (event) => {
    const data = event.data;
    if (data === undefined || data === null || typeof data.nesting !== 'number') return undefined;
    if (event.type === 'test:start') {
      frames.length = Math.min(frames.length, data.nesting);
      frames.push({ name: String(data.name), file: data.file, hasTests: false });
      return undefined;
    }
    return event.type === 'test:pass' || event.type === 'test:fail' ? ended(event, frames) : undefined;
  };
}

/** The file that the runner starts for this event, absolute; undefined where it starts none. */
export function startedFile(event) {
  const { type, data } = event;
  if (type !== 'test:enqueue' || data?.nesting !== 0 || data.file === undefined) return undefined;
  return /\.[cm]?[jt]sx?$/.test(data.name) && data.file.endsWith(data.name) ? data.file : undefined;
}

/** A suite is told by its tests, unless it failed for a reason of its own, such as a hook. */
function ended(event, frames) {
  const { data } = event;
  const parents = frames.slice(0, data.nesting);
  const parent = parents.at(-1);
  if (parent !== undefined) parent.hasTests = true;
  const failed = event.type === 'test:fail';
  const error = data.details?.error;
  const grouping = data.details?.type === 'suite' || frames[data.nesting]?.hasTests === true;
  if (grouping && !(failed && error?.failureType !== 'subtestsFailed')) return undefined;
  const name = String(data.name);
  const isFile = parents.length === 0 && data.file?.endsWith(name) === true;
  const skipped = isSet(data.skip) || isSet(data.todo);
  return {
    file: parents[0]?.file ?? data.file,
    names: isFile ? [] : [...parents.map((frame) => frame.name), name],
    status: skipped ? 'skipped' : failed ? 'failed' : 'passed',
    message: failed ? failureText(error) : undefined,
    stack: failed ? stackText(error) : undefined,
  };
}

function isSet(mark) {
  return mark !== undefined && mark !== false;
}

function stackText(error) {
  const cause = error?.cause ?? error;
  return typeof cause?.stack === 'string' ? cause.stack.slice(0, 2000) : undefined;
}
