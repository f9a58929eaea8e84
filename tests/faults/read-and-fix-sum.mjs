// Like fix-sum.mjs, but reads a long file first: results go to the blob store.
import { next as fix } from './fix-sum.mjs';

export function next({ messages, turn }) {
  if (turn > 0) return fix({ messages, turn: turn === 1 ? 0 : turn - 1 });
  return { text: '', calls: [{ name: 'fs-read__read_files', arguments: { files: [{ path: 'notes.txt' }] } }] };
}
