import { failureText } from './failure-text.mjs';

/**
 * Turns the event stream of node:test into one record per test. Runs on the repository's own Node (18.17 or later),
 * without any other file of Capstan.
 */
export function testRecorder() {
  const open = new Map();
  return (event) => {
    const data = event.data;
    if (data === undefined || data === null || typeof data.nesting !== 'number') return undefined;
    const key = data.file ?? '';
    const frames = open.get(key) ?? [];
    if (event.type === 'test:start') {
      frames.length = Math.min(frames.length, data.nesting);
      frames.push({ name: String(data.name), hasTests: false });
      open.set(key, frames);
      return undefined;
    }
    return event.type === 'test:pass' || event.type === 'test:fail' ? ended(event, frames) : undefined;
  };
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
    file: data.file,
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
