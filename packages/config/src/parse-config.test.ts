import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CapstanError } from '@capstan/contracts';
import fc from 'fast-check';
import { parseConfig } from './parse-config.ts';

const parse = (text: string, kind: 'user' | 'project' = 'project') => parseConfig({ text, file: 'F', kind });

function problemOf(text: string, kind?: 'user' | 'project'): string {
  try {
    parse(text, kind);
  } catch (thrown) {
    assert.ok(thrown instanceof CapstanError, String(thrown));
    assert.equal(thrown.code, 'bad-config');
    assert.ok(thrown.hint, 'there is always something to do');
    return thrown.message;
  }
  return 'no problem';
}

test('values are read with the place that they stand at', () => {
  const layer = parse('# mine\napprovals: strict\nbudget:\n  minutes: 2.5\nprotect: ["db/**", 数据/*]\n');
  const origin = { kind: 'project', file: 'F', column: 1 };
  assert.deepEqual(layer.get('approvals'), { value: 'strict', origin: { ...origin, line: 2 } });
  assert.deepEqual(layer.get('budget.minutes'), { value: 2.5, origin: { ...origin, line: 4, column: 3 } });
  assert.deepEqual(layer.get('protect')?.value, ['db/**', '数据/*']);
  assert.equal(layer.size, 3);
});

test('comments alone, sections whose keys are all comments, a byte order mark and CRLF are fine', () => {
  for (const text of ['# nothing yet\n', 'budget:\n  # minutes: 3\n', 'budget: {}', '---\n# x\n']) {
    assert.equal(parse(text).size, 0, JSON.stringify(text));
  }
  assert.equal(parse('\ufeffapprovals: strict\r\nbudget:\r\n  steps: 3\r\n').size, 2);
});

const wrong: Readonly<Record<string, { text: string; problem: string | RegExp; kind?: 'user' }>> = {
  'an empty file': { text: '', problem: 'F:1:1: the file is empty' },
  'white space only': { text: ' \n\n', problem: 'F:1:1: the file is empty' },
  'a slip of the pen': {
    text: 'aprovals: strict',
    problem: 'F:1:1: there is no key "aprovals"; did you mean "approvals"?',
  },
  'swapped letters': { text: 'x: 1', problem: 'F:1:1: there is no key "x"' },
  'a key without its section': {
    text: '\nminutes: 3',
    problem: 'F:2:1: there is no key "minutes"; did you mean "budget.minutes"?',
  },
  'a slip in a section': {
    text: 'budget:\n  minuts: 3',
    problem: 'F:2:3: there is no key "budget.minuts"; did you mean "budget.minutes"?',
  },
  'a slip in a word': {
    text: 'approvals: stric',
    problem: 'F:1:12: "approvals" is not right: expected one of "contained" or "strict"; did you mean "strict"?',
  },
  'names of object members': {
    text: '__proto__: 1\nconstructor: 2\ntoString: 3',
    problem: /^F:1:1: there is no key "__proto__"\nF:2:1: .*"constructor"\nF:3:1: .*"toString"$/,
  },
  'a text for a number': {
    text: 'budget: {steps: many}',
    problem: 'F:1:17: "budget.steps" is not right: expected number, received string',
  },
  'a number that is none': { text: 'budget: {tokens: .nan}', problem: /^F:1:18: "budget.tokens" is not right/ },
  'a number below zero': { text: 'budget: {minutes: -1}', problem: /^F:1:19: "budget.minutes" .*>0$/ },
  'a word for a section': { text: 'budget: 5', problem: /^F:1:9: "budget" holds keys of its own: minutes, steps/ },
  'a text for a list': { text: 'protect: x', problem: /^F:1:10: "protect" .*expected list, received string/ },
  'a list in a list': { text: 'protect: [a, [b]]', problem: /^F:1:14: an entry of "protect"/ },
  'a path out of the checkout': { text: 'protect: [a, ../b]', problem: /^F:1:14: an entry of "protect" is no pattern/ },
  'an absolute path': { text: 'protect: [/etc]', problem: /^F:1:11: an entry of "protect" is no pattern/ },
  'a key without a value': { text: 'approvals:', problem: 'F:1:11: "approvals" has no value' },
  'a key twice': { text: 'approvals: strict\napprovals: contained', problem: 'F:2:1: "approvals" stands here twice' },
  'a section twice': { text: 'budget: {}\nbudget: {}', problem: 'F:2:1: "budget" stands here twice' },
  'a tab': { text: 'budget:\n\tminutes: 3', problem: 'F:2:1: this is no YAML: tabs are not allowed as indentation' },
  'a bracket that stays open': { text: 'protect: [a', problem: /^F:1:12: this is no YAML/ },
  'an anchor': { text: 'protect: &x [a]', problem: 'F:1:13: &x is an anchor, which is not taken here' },
  'an alias': { text: 'protect: *x', problem: 'F:1:10: *x is an alias, which is not taken here' },
  'a merge key': { text: '<<: {approvals: strict}', problem: 'F:1:1: there is no key "<<"' },
  'a tag': { text: 'approvals: !!str strict', problem: /^F:1:18: .* is a tag, which is not taken here/ },
  'a tag that runs code elsewhere': { text: 'approvals: !!js/function "x"', problem: /^F:1:12: this is no YAML/ },
  'a second document': {
    text: 'protect: []\n---\nprotect: []',
    problem: 'F:2:1: a second document starts here, and one is taken',
  },
  'another version of YAML': {
    text: '%YAML 1.1\n---\napprovals: strict',
    problem: 'F:1:1: a %YAML line is not taken here',
  },
  'a list at the top': { text: '- a', problem: /^F:1:1: keys with values were expected/ },
  'a sentence': { text: 'just text', problem: /^F:1:1: keys with values were expected/ },
  'a list for a key': { text: '? [a]\n: b', problem: 'F:1:3: a key has to be a word' },
  'control characters': { text: 'model: {name: "a\\e[2Jb"}', kind: 'user', problem: /^F:1:15: .*control characters/ },
  'an address of a file': {
    text: 'model: {url: "file:///etc"}',
    kind: 'user',
    problem: /^F:1:14: "model.url" is no address/,
  },
  'a key in the place of its variable': {
    text: 'model:\n  keyVariable: sk-proj-4711',
    kind: 'user',
    problem: 'F:2:16: "model.keyVariable" is no name of an environment variable',
  },
  'a thousand levels': { text: '['.repeat(60_000), problem: /^F:1:\d+: it is nested too deeply$/ },
};

for (const [name, { text, problem, kind }] of Object.entries(wrong)) {
  test(`what is wrong is said with its place: ${name}`, () => {
    const found = problemOf(text, kind);
    if (typeof problem === 'string') assert.equal(found, problem);
    else assert.match(found, problem);
  });
}

test('a bomb of aliases is refused and not expanded', () => {
  const levels = Array.from({ length: 30 }, (_, level) => `a${level}: &a${level} [${`*a${level - 1},`.repeat(9)}]`);
  assert.match(problemOf(`a: &a [x]\n${levels.join('\n')}`), /^F:1:7: &a is an anchor/);
});

test('a project cannot set what decides where code goes, nor what is deleted; the user can', () => {
  for (const [section, key, value] of [
    ['model', 'name', 'x'],
    ['model', 'url', 'https://example.org/v1'],
    ['model', 'keyVariable', 'GITHUB_TOKEN'],
    ['retention', 'days', '1'],
    ['retention', 'unappliedDays', '1'],
    ['retention', 'sessions', '1'],
    ['retention', 'bytes', '1'],
  ]) {
    const text = `${section}:\n  ${key}: ${value}\n`;
    assert.match(problemOf(text), new RegExp(`^F:2:3: "${section}.${key}" cannot be set by a project: it decides`));
    assert.equal(parse(text, 'user').size, 1);
  }
});

test('all problems are told at once, ten at most', () => {
  const text = Array.from({ length: 14 }, (_, index) => `key${index}: 1`).join('\n');
  const lines = problemOf(text).split('\n');
  assert.equal(lines.length, 11);
  assert.equal(lines.at(-1), '... and 4 more');
});

test('whatever the text, it is read or refused with a place', () => {
  const pieces = fc.constantFrom(
    ...'approvals strict : \n - [ ] { } & * ! | > " \' # % \t budget minutes \0 é'.split(' '),
    ' ',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(pieces, fc.string({ maxLength: 3 })), { maxLength: 30 }), (parts) => {
      const problem = problemOf(parts.join(''));
      assert.match(problem, /^(no problem$|F:\d+:\d+: )/);
    }),
    { numRuns: 500 },
  );
});
