import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { commandDescriptions } from './command-descriptions.ts';
import type { CommandDescription } from './describe-command.ts';
import { helpPage, overviewText, usage } from './help.ts';

const descriptions: readonly CommandDescription[] = commandDescriptions;

test('X1: the README lists every command as its description says, and no other', () => {
  const readme = readFileSync(join(import.meta.dirname, '..', '..', '..', 'README.md'), 'utf8');
  const table = readme.split('## Commands')[1]?.split('\n\n')[1] ?? '';
  assert.deepEqual(
    table.split('\n').slice(2),
    descriptions.map((description) => `| \`${usage(description)}\` | ${description.summary} |`),
  );
});

test('X1: every help page has its options with their values, and examples that call that command', () => {
  for (const description of descriptions) {
    const page = helpPage(description);
    assert.ok(page.startsWith(`capstan ${description.name}`));
    for (const [name, option] of Object.entries(description.options)) {
      assert.equal(page.includes(`  --${name}`), option.hidden !== true, name);
      assert.equal(
        option.type === 'string',
        option.value !== undefined,
        `${name}: a value for strings, and only for them`,
      );
    }
    assert.ok(description.examples.length > 0, description.name);
    for (const example of description.examples) {
      assert.match(example, new RegExp(`\\bcapstan ${description.name}\\b`));
      assert.ok(page.includes(`  ${example}\n`));
    }
    for (const line of page.split('\n')) assert.ok(line.length <= 122, line);
  }
});

test('X1: the overview has a line for every command, and names are used once', () => {
  const overview = overviewText(descriptions);
  for (const { name, summary } of descriptions) assert.match(overview, new RegExp(`capstan ${name}.* ${summary}\n`));
  assert.equal(new Set(descriptions.map(({ name }) => name)).size, descriptions.length);
});

test('an operand that may be left out has none after it that must be there', () => {
  for (const { name, operands } of descriptions) {
    const optional = Object.values(operands).map((operand) => operand.optional === true);
    assert.deepEqual(
      optional,
      optional.toSorted((a, b) => Number(a) - Number(b)),
      name,
    );
  }
});
