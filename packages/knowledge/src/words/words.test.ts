import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { splitWord } from './split-word.ts';
import { stem } from './stem.ts';
import { hashWord, WordCounter } from './word-counter.ts';

describe('splitWord', () => {
  const cases: [string, string[]][] = [
    ['getUserName', ['getusername', 'get', 'user', 'name']],
    ['get_user_name', ['getusername', 'get', 'user', 'name']],
    ['HTTPServer2', ['httpserver2', 'http', 'server2']],
    ['__init__', ['init']],
    ['MAX_ITEMS', ['maxitems', 'max', 'item']],
    ['plain', ['plain']],
    ['___', []],
    ['Ärger', ['ärger']],
  ];
  for (const [word, terms] of cases) {
    test(`T11: parts of ${word} are findable`, () => assert.deepEqual(splitWord(word), terms));
  }

  test('T11: camel case and snake case of the same words give the same terms', () => {
    const part = fc.stringMatching(/^[a-z]{1,8}$/);
    fc.assert(
      fc.property(fc.array(part, { minLength: 2, maxLength: 5 }), (parts) => {
        const camel = parts.map((one, index) => (index === 0 ? one : `${one.charAt(0).toUpperCase()}${one.slice(1)}`));
        // A part of one letter before a capital is no part that can be seen: "aB" is, "ABc" is not.
        fc.pre(parts.every((one) => one.length > 1));
        assert.deepEqual(splitWord(camel.join('')), splitWord(parts.join('_')));
      }),
    );
  });
});

test('T11: endings of English meet, and short words and names with digits stay', () => {
  for (const [one, other] of [
    ['crashes', 'crash'],
    ['parsing', 'parse'],
    ['entries', 'entry'],
    ['stopped', 'stops'],
    ['timeouts', 'timeout'],
  ]) {
    assert.equal(stem(one ?? ''), stem(other ?? ''), `${one} and ${other}`);
  }
  for (const word of ['bus', 'ring', 'red', 'utf8', 'class', 'status']) assert.equal(stem(word), word);
});

describe('WordCounter', () => {
  test('T11: counts terms over all words, and gives the hashes of names', () => {
    const { terms, counts, hashes } = new WordCounter(16).count('getUser(user); // the user of getUser');
    assert.deepEqual(Object.fromEntries(terms.map((term, index) => [term, counts[index]])), {
      getuser: 2,
      get: 2,
      user: 4,
      the: 1,
      of: 1,
    });
    assert.ok(hashes.includes(hashWord('getUser')) && !hashes.includes(hashWord('getuser')));
  });

  test('T11: Chinese is counted in pairs, the last character alone', () => {
    assert.deepEqual(new WordCounter(16).count('登录失败 ok 錯').terms, ['登录', '录失', '失败', '败', 'ok', '錯']);
  });

  test('T11: gives for each text what a counter without a past gives, through growth and non-ASCII text', () => {
    const counter = new WordCounter(4);
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 60 }), { maxLength: 4 }), (texts) => {
        for (const text of texts) assert.deepEqual(counter.count(text), new WordCounter(1024).count(text));
      }),
    );
  });
});
