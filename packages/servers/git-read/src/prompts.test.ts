import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ServedRepository } from './testing/served-repository.ts';

const served = new ServedRepository();

before(async () => {
  served.init('.');
  served.put('sum.mjs', 'export const sum = (a, b) => a - b;\n');
  served.commit('.', '加上求和函数');
  served.git('.', 'checkout', '-q', '-b', 'feature/add');
  served.put('sum.mjs', 'export const sum = (a, b) => a + b; // ```\n');
  served.commit('.', 'Add, not subtract');
  await served.start();
});
after(() => served.stop());

async function textOf(name: string, given: Record<string, string> = {}): Promise<string> {
  const { messages } = await served.client.getPrompt({ name, arguments: given });
  return messages.map(({ content }) => (content.type === 'text' ? content.text : '')).join('\n');
}

test('T2: the prompts are listed with their arguments, and branches are completed', async () => {
  const { prompts } = await served.client.listPrompts();
  assert.deepEqual(
    prompts.map(({ name }) => name),
    ['commit_message', 'review', 'summarise_changes'],
  );
  const ref = { type: 'ref/prompt' as const, name: 'review' };
  const { completion } = await served.client.complete({ ref, argument: { name: 'base', value: 'feat' } });
  assert.deepEqual(completion.values, ['feature/add']);
});

test('T2: review shows what the branch adds, in a fence that the diff cannot end', async () => {
  const text = await textOf('review', { base: 'main' });
  assert.match(text, /\n````\n[\s\S]*\+export const sum = \(a, b\) => a \+ b; \/\/ ```\n[\s\S]*````$/);
  await assert.rejects(textOf('review', { base: 'no-such-branch' }), /no-such-branch/);
});

test('T2: a commit message is asked for what is staged, else for all changes, with the style of earlier ones', async () => {
  served.put('sum.mjs', 'export const sum = (a, b) => b + a;\n');
  const unstaged = await textOf('commit_message');
  assert.match(unstaged, /加上求和函数/);
  assert.match(unstaged, /^\+export const sum = \(a, b\) => b \+ a;$/m);
  served.git('.', 'add', '-A');
  served.put('sum.mjs', 'export const sum = () => 0;\n');
  const staged = await textOf('commit_message');
  assert.match(staged, /b \+ a/);
  assert.doesNotMatch(staged, /\(\) => 0/);
});

test('T2: a summary names the commits that a branch adds, and no others', async () => {
  const text = await textOf('summarise_changes', { base: 'main' });
  assert.match(text, /Add, not subtract/);
  assert.doesNotMatch(text, /加上求和函数/);
  assert.match(text, /sum\.mjs/);
});
