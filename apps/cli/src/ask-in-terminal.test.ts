import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { askApproval } from './ask-approval.ts';
import { askInTerminal } from './ask-in-terminal.ts';

function terminal() {
  const input = new PassThrough();
  const output = new PassThrough();
  const stop = new AbortController();
  const asked = askInTerminal('Go on? ', { input, output, signal: stop.signal, onInterrupt: () => {} });
  return { input, stop, asked, shown: () => String(output.read() ?? '') };
}

test('a line is an answer', async () => {
  const { input, asked, shown } = terminal();
  input.write('yes\n');
  assert.equal(await asked, 'yes');
  assert.match(shown(), /^Go on\? /);
});

test('input that ends is no answer, and is not waited for', async () => {
  const { input, asked, shown } = terminal();
  input.end();
  assert.equal(await asked, undefined);
  assert.match(shown(), /\n$/, 'what is printed next begins on a line of its own');
});

test('a question that is taken back is no answer', async () => {
  const { stop, asked } = terminal();
  stop.abort();
  assert.equal(await asked, undefined);
});

test('only a yes is a yes, in English or Chinese', async () => {
  const answers = async (line: string | undefined) => askApproval('', async () => line);
  for (const yes of ['y', 'Y', 'yes', ' YES ', '是', '好', '可以']) assert.equal(await answers(yes), 'approved', yes);
  for (const no of ['', 'n', 'no', 'yess', 'y!', '不']) assert.equal(await answers(no), 'denied', no);
  assert.equal(await answers(undefined), undefined);
});
