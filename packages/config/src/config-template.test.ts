import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { configKeys } from './config-keys.ts';
import { projectTemplate, userTemplate } from './config-template.ts';
import { parseConfig } from './parse-config.ts';

/** What a person does to use everything: the mark in front of each key goes, comments on keys stay. */
function withoutMarks(text: string): string {
  return text.replaceAll(/^( *)# (?=\w+: )/gm, '$1');
}

/** Keys that are shown with an example, as their default says nothing. */
const examples: readonly string[] = [
  ...['model.name', 'model.url', 'checks.only', 'checks.deny', 'protect'],
  ...['commands.templates', 'commands.only', 'commands.deny'],
];

test('the files to start from set nothing, and hold every key with its description', () => {
  const mine = userTemplate();
  assert.equal(parseConfig({ text: mine, file: 'F', kind: 'user' }).size, 0);
  assert.equal(parseConfig({ text: projectTemplate(), file: 'F', kind: 'project' }).size, 0);
  for (const key of configKeys) assert.ok(mine.includes(`# ${key.description}.`), key.path);
});

test('with the marks taken away every key is set, to its default or to an example', () => {
  const mine = parseConfig({ text: withoutMarks(userTemplate()), file: 'F', kind: 'user' });
  for (const key of configKeys) {
    assert.ok(mine.has(key.path), key.path);
    if (!examples.includes(key.path)) assert.deepEqual(mine.get(key.path)?.value, key.fallback, key.path);
  }
});

test("with the marks taken away a project's file has all that it may have, each tighter than the default", () => {
  const theirs = parseConfig({ text: withoutMarks(projectTemplate()), file: 'F', kind: 'project' });
  for (const key of configKeys) {
    assert.equal(theirs.has(key.path), key.tightening.kind !== 'user-only', key.path);
    // What is off by default cannot be tighter.
    if (theirs.has(key.path) && key.path !== 'commands.shell')
      assert.notDeepEqual(theirs.get(key.path)?.value, key.fallback, key.path);
  }
});

test('chosen values are set, whatever they look like', () => {
  const name = fc.oneof(
    fc.constantFrom('yes', 'null', '5', 'a: b', '# x', "it's", '"', '模型', '*x', '- a', 'gpt-5:latest'),
    fc.string({ minLength: 1, unit: 'grapheme-ascii' }),
  );
  fc.assert(
    fc.property(name, (chosen) => {
      const text = userTemplate({ 'model.name': chosen, 'model.url': 'http://127.0.0.1:1/v1' });
      const layer = parseConfig({ text, file: 'F', kind: 'user' });
      assert.equal(layer.get('model.name')?.value, chosen);
      assert.equal(layer.get('model.url')?.value, 'http://127.0.0.1:1/v1');
      assert.equal(layer.size, 2);
    }),
  );
});
