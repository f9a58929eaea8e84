// A model that works: looks where the tests fail, edits two files by what it read, runs the checks, reports.
import { findLine, toolTexts } from './results.mjs';

export function next({ messages, turn }) {
  const texts = toolTexts(messages);
  if (turn === 0)
    return call('fs-read__read_files', { files: [{ path: 'src/interval.js' }, { path: 'src/free-slots.js' }] });
  if (turn === 1) {
    const overlap = findLine(texts, /return first\.start <= second\.end/);
    const cursor = findLine(texts, /cursor = Math\.max\(cursor, start\)/);
    return call('fs-write__edit_files', {
      edits: [
        { path: 'src/interval.js', oldText: overlap, newText: overlap.replace('<=', '<') },
        { path: 'src/free-slots.js', oldText: cursor, newText: cursor.replace('start', 'end') },
      ],
    });
  }
  if (turn === 2) return call('exec__list_checks', {});
  if (turn === 3) return call('exec__run_check', { checkId: /npm:test/.exec(texts.at(-1))?.[0] ?? 'unknown' });
  return { text: 'I edited src/interval.js and src/free-slots.js, and ran the tests: all pass.' };
}

function call(name, args) {
  return { text: '', calls: [{ name, arguments: args }] };
}
