import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Command } from './command.ts';
import { parseCommand } from './parse-command.ts';

const parsed = (text: string): Command => {
  const command = parseCommand(text);
  if ('problem' in command) assert.fail(command.problem);
  return command;
};

test('T10: a command of a person has typed places for values', () => {
  const command = parsed('seed = node "a b.js" --rows={rows:1..100} {--dry-run} {files?...:path} {to:dev|prod} # 填充');
  assert.deepEqual(command.argv, ['node', 'a b.js', '--rows={rows}', '{dryRun}', '{files}', '{to}']);
  assert.deepEqual([command.id, command.description], ['config:seed', '填充']);
  assert.deepEqual(
    command.parameters.map(({ name, type, optional, many }) => [name, type, optional, many]),
    [
      ['rows', 'integer', false, false],
      ['dryRun', 'flag', true, false],
      ['files', 'path', true, true],
      ['to', 'choice', false, false],
    ],
  );
});

test('T10: what is no command is answered with what is wrong', () => {
  for (const [text, reason] of [
    ['node x.js', /does not read/],
    ['x = ', /does not read/],
    ['x = {program}', /cannot be chosen/],
    ['x = --eval', /is no program/],
    ['x = node "open', /not closed/],
    ['x = node {file:folder}', /is no type/],
    ['x = node {a} {a}', /stands in it twice/],
    ['x = node a={b...}', /a word of its own/],
    ['x = node {open', /not closed/],
    ['x = node {to:dev|-rf}', /is no type/],
    [`x = node ${'a'.repeat(1000)}`, /more than 1000/],
  ] as const) {
    const answer = parseCommand(text);
    assert.ok('problem' in answer, text);
    assert.match(answer.problem, reason, text);
  }
});

test('T10: any text is a command that fits the schema, or is answered', () => {
  const pieces = fc.constantFrom(
    'x',
    '=',
    ' ',
    '{',
    '}',
    ':',
    '...',
    '?',
    '"',
    "'",
    'path',
    '1..2',
    'a|b',
    '--',
    '#',
    '中',
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
      const answer = parseCommand(`c = ${parts.join('')}`);
      if ('problem' in answer) return assert.match(answer.problem, /^is no command: /);
      Command.parse(answer);
      const places = answer.argv.join(' ').match(/\{\w+\}/g) ?? [];
      assert.equal(places.length, answer.parameters.length);
    }),
  );
});
