// A model that reads, edits and runs the checks of the small repository in kill-sweep.test.ts.
import { findLine, toolTexts } from '../scenarios/scripts/results.mjs';

export function next({ messages, turn }) {
  const texts = toolTexts(messages);
  if (turn === 0) return call('fs-read__read_files', { files: [{ path: 'src/sum.mjs' }] });
  if (turn === 1) {
    const line = findLine(texts, /return a - b/);
    return call('fs-write__edit_files', {
      edits: [{ path: 'src/sum.mjs', oldText: line, newText: line.replace('-', '+') }],
    });
  }
  if (turn === 2) return call('exec__run_check', { checkId: 'npm:test' });
  return { text: 'I edited src/sum.mjs and ran the tests: they pass.' };
}

function call(name, args) {
  return { text: '', calls: [{ name, arguments: args }] };
}
