import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseTask } from './run-request.ts';

const request = { text: 'fix it', repository: '/r' };

test('G6: only typed text is of the user; text from elsewhere is external', () => {
  assert.equal(parseTask(request, '/r').label.integrity, 'user');
  assert.equal(parseTask({ ...request, source: 'external' }, '/r').label.integrity, 'external');
});

test('N1: without a model the planner is repair, with one it is the model', () => {
  assert.equal(parseTask(request, '/r').planner, 'repair');
  assert.equal(parseTask({ ...request, model: 'm' }, '/r').planner, 'model');
});

test('A8: every run has a budget, and parts of it can be set', () => {
  const { budget } = parseTask({ ...request, budget: { milliseconds: 5000 } }, '/r');
  assert.equal(budget.milliseconds, 5000);
  for (const limit of Object.values(budget)) assert.ok(limit > 0 && Number.isInteger(limit));
});

test('an empty task is said to be empty, in whatever white space', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[ \t\n\r\u3000]*$/), (text) => {
      assert.throws(() => parseTask({ ...request, text }, '/r'), { code: 'empty-task', hint: /capstan run/ });
    }),
  );
});

test('T4: what does not fit is wrong use, and says where', () => {
  assert.throws(() => parseTask({ ...request, budget: { milliseconds: -1 } }, '/r'), {
    code: 'usage',
    message: /milliseconds/,
  });
  assert.throws(() => parseTask({ ...request, text: 'x'.repeat(64_001) }, '/r'), { code: 'usage' });
  assert.throws(() => parseTask({ ...request, surprise: 1 } as never, '/r'), { code: 'usage' });
});
