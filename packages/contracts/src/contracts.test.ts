import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CapstanError, canonicalJson, ExitCode, errorCodes, joinLabels, Label, Task, toFailure } from './index.ts';

const label = fc.record({
  integrity: fc.constantFrom('user' as const, 'workspace' as const, 'external' as const),
  secrecy: fc.constantFrom('public' as const, 'secret' as const),
  origin: fc.string({ maxLength: 20 }),
});

test('G11: equal values have equal canonical JSON, whatever the order of their members', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const reversed = Object.fromEntries(Object.entries(value).reverse());
      assert.equal(canonicalJson(value), canonicalJson(reversed));
      assert.deepEqual(JSON.parse(canonicalJson(value)), JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('G11: what JSON cannot carry has no canonical form', () => {
  for (const value of [undefined, Number.NaN, Number.POSITIVE_INFINITY, () => 1]) {
    assert.throws(() => canonicalJson(value), TypeError);
  }
});

test('G6: joining labels never raises integrity and never lowers secrecy', () => {
  const order = ['user', 'workspace', 'external'];
  fc.assert(
    fc.property(label, label, (first, second) => {
      const joined = joinLabels(first, second);
      for (const part of [first, second]) {
        assert.ok(order.indexOf(joined.integrity) >= order.indexOf(part.integrity));
        assert.ok(joined.secrecy === 'secret' || part.secrecy === 'public');
      }
      assert.deepEqual(Label.parse(joined), joined);
    }),
  );
});

test('T8: every failure carries a level, a code and no stack trace', () => {
  const failure = toFailure(new CapstanError('no-sandbox', 'None works.', { hint: 'Install bubblewrap.' }));
  assert.deepEqual(failure, {
    level: 'fatal',
    code: 'no-sandbox',
    message: 'None works.',
    hint: 'Install bubblewrap.',
  });
  const missing = Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' });
  assert.match(toFailure(missing).hint ?? '', /`npm ci`/, 'a part that is loaded late');
  assert.deepEqual(toFailure(new Error('odd')), { level: 'fatal', code: 'internal', message: 'odd' });
});

test('X1: every error code leads to one of the documented exit codes, and none to success', () => {
  const known: number[] = Object.values(ExitCode);
  const exits: number[] = Object.values(errorCodes).map((row) => row.exit);
  for (const exit of exits) assert.ok(known.includes(exit) && exit !== ExitCode.done);
});

test('T4: a task with a member that nobody knows is refused', () => {
  const task = Task.safeParse({ text: 'x', surprise: true });
  assert.equal(task.success, false);
});
