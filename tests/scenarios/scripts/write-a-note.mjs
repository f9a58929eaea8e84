// A model that adds one file and says so.
export function next({ turn }) {
  if (turn === 0)
    return {
      text: '',
      calls: [{ name: 'fs-write__write_files', arguments: { files: [{ path: 'note.md', content: 'a note\n' }] } }],
    };
  return { text: 'I wrote note.md.' };
}
