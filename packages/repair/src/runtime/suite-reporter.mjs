// Reporter of `node --test` in its parent process, where no tested code runs. Each line starts with the secret that
// came on standard input.
import { readFileSync } from 'node:fs';
import { startedFile, testRecorder } from './test-events.mjs';

const secret = readFileSync(0, 'utf8').trim();

export default async function* report(source) {
  const record = testRecorder();
  for await (const event of source) {
    const entry = startedFile(event);
    if (entry !== undefined) yield `\n${secret} ${JSON.stringify({ entry })}\n`;
    const test = record(event);
    if (test !== undefined) yield `\n${secret} ${JSON.stringify(test)}\n`;
  }
  yield `\n${secret} ${JSON.stringify({ end: true })}\n`;
}
