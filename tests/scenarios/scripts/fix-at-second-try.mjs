// A model that looks, edits wrongly, says that it is done, is told otherwise, and then edits rightly.
export function next({ turn }) {
  if (turn === 0) return call('fs-read__read_files', { files: [{ path: 'src/sum.mjs' }] });
  if (turn === 1) return edit('a - b', 'a * b');
  if (turn === 2) return { text: 'I edited src/sum.mjs.' };
  if (turn === 3) return edit('a * b', 'a + b');
  return { text: 'I edited src/sum.mjs again.' };
}

function edit(oldText, newText) {
  return call('fs-write__edit_files', { edits: [{ path: 'src/sum.mjs', oldText, newText }] });
}

function call(name, args) {
  return { text: '', calls: [{ name, arguments: args }] };
}
