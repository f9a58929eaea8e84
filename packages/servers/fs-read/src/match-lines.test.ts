import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeText } from '@capstan/workspace';
import fc from 'fast-check';
import { literalMatcher, regexMatcher } from './match-lines.ts';

test('a file is passed over by its bytes only if no line of it holds the text, in every encoding', () => {
  const alphabet = fc.constantFrom('a', 'B', '你', '好', 'é', '\r', '@', '~', '\n');
  const texts = fc.array(alphabet, { maxLength: 12 }).map((parts) => parts.join(''));
  const patterns = fc
    .array(alphabet, { minLength: 1, maxLength: 3 })
    .map((parts) => parts.join('').replace(/\n/g, 'a'));
  const encodings = fc.constantFrom('utf-8', 'gbk', 'latin1', 'utf-16le', 'utf-16be');
  fc.assert(
    fc.property(texts, patterns, encodings, (text, pattern, encoding) => {
      const encoded = encodeText(text, encoding);
      fc.pre(Buffer.isBuffer(encoded));
      const mark = encoding === 'utf-16le' ? [0xff, 0xfe] : encoding === 'utf-16be' ? [0xfe, 0xff] : [];
      const bytes = Buffer.concat([Buffer.from(mark), encoded]);
      const matcher = literalMatcher(pattern, false);
      const holds = text.split('\n').some((line) => line.includes(pattern));
      if (holds) assert.ok(matcher.mayMatch(bytes));
    }),
    { numRuns: 500 },
  );
});

test('matching texts together finds what matching them alone finds', () => {
  const lines = fc.array(fc.constantFrom('foo', 'bar', 'foobar', ''), { maxLength: 5 });
  const matcher = regexMatcher('^foo|r$', false, () => 0);
  assert.ok(!('problem' in matcher));
  fc.assert(
    fc.property(fc.array(lines, { maxLength: 6 }), (texts) => {
      const expected = texts.map((text) => text.flatMap((line, index) => (/^foo|r$/.test(line) ? [index] : [])));
      assert.deepEqual(matcher.match(texts), expected);
    }),
  );
});

test('a pattern that is slow on many files ends after a while, whichever file that is', () => {
  let time = 0;
  const clock = () => {
    time += 300;
    return time;
  };
  const matcher = regexMatcher('^(a+)+$', false, clock);
  assert.ok(!('problem' in matcher));
  const texts = [['fine'], ['fine'], ['fine'], ['fine'], ['fine'], [`${'a'.repeat(60)}b`]];
  assert.deepEqual(matcher.match(texts), { tooSlow: 3 });
  assert.deepEqual(regexMatcher('a(', false, clock), {
    problem: 'Invalid regular expression: /a(/: Unterminated group',
  });
});
