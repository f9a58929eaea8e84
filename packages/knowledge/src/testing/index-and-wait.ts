import { KnowledgeIndex } from '../knowledge-index.ts';

/** A process that indexes a folder until it is killed or done: `index-and-wait.ts ROOT STATE`. */
const [root = '', stateFolder = ''] = process.argv.slice(2);
const index = new KnowledgeIndex({
  root,
  stateFolder,
  clock: { now: () => Date.now(), steady: () => performance.now() },
});
process.stdout.write('begins\n');
const files = await index.use({ firstMs: 600_000, againMs: 600_000 }, (_, state) => state.files);
process.stdout.write(`done ${files}\n`);
