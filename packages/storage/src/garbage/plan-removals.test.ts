import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { SessionFacts } from './judge-session.ts';
import { planRemovals } from './plan-removals.ts';
import type { Retention } from './retention.ts';

const day = 24 * 60 * 60_000;
const now = 100 * day;
const retention: Retention = {
  endedMilliseconds: 7 * day,
  unappliedMilliseconds: 30 * day,
  maximumSessions: Number.POSITIVE_INFINITY,
  maximumBytes: Number.POSITIVE_INFINITY,
};
const ended: SessionFacts = {
  sessionId: 's',
  createdAt: 0,
  lastUsedAt: 0,
  held: false,
  end: 'done',
  asks: false,
  changes: true,
  applied: true,
};

function isRemoved(facts: Partial<SessionFacts> & { days: number }, limits: Partial<Retention> = {}): boolean {
  const { days, ...rest } = facts;
  const all = [{ ...ended, ...rest, lastUsedAt: now - days * day }];
  return (
    planRemovals(all, { ...retention, ...limits }, { now, totalBytes: 100, bytesOf: () => 10 }).remove.length === 1
  );
}

const table: readonly [string, Partial<SessionFacts>, number | undefined][] = [
  ['applied', {}, 7],
  ['ended without changes', { applied: false, changes: false }, 7],
  ['not solved, no changes', { end: 'unsolved', applied: false, changes: false }, 7],
  ['changes that were not applied', { applied: false }, 30],
  ['held back for review', { end: 'waiting', applied: false }, 30],
  ['broken off', { end: undefined, applied: false }, 30],
  ['failed, and can be resumed', { end: 'failed', applied: false, changes: false }, 30],
  ['in use', { held: true }, undefined],
  ['waiting for an answer', { end: 'waiting', asks: true, applied: false }, undefined],
  ['waiting for an answer, applied before', { end: 'waiting', asks: true }, undefined],
];
for (const [name, facts, days] of table) {
  test(`O2: ${name}: ${days === undefined ? 'never removed' : `removed after ${days} days`}`, () => {
    const limits = { maximumBytes: 0, maximumSessions: 0 };
    if (days === undefined) return assert.equal(isRemoved({ ...facts, days: 99 }, limits), false);
    assert.equal(isRemoved({ ...facts, days }), true);
    assert.equal(isRemoved({ ...facts, days: days - 0.001 }), false);
    assert.equal(isRemoved({ ...facts, days: days - 0.001 }, limits), days === 7, 'only what is safe goes early');
  });
}

test('F7: a session that was used in the future, before the clock was set back, is not old', () => {
  assert.equal(isRemoved({ days: -50 }), false);
});

const anyFacts = fc.record({
  sessionId: fc.uuid(),
  createdAt: fc.constant(0),
  lastUsedAt: fc.integer({ min: 0, max: 2 * now }),
  held: fc.boolean(),
  end: fc.constantFrom('done', 'unsolved', 'waiting', 'denied', 'failed', undefined),
  asks: fc.boolean(),
  changes: fc.boolean(),
  applied: fc.boolean(),
});
const anyRetention = fc.record({
  endedMilliseconds: fc.integer({ min: 0, max: now }),
  unappliedMilliseconds: fc.integer({ min: 0, max: now }),
  maximumSessions: fc.integer({ min: 0, max: 20 }),
  maximumBytes: fc.integer({ min: 0, max: 200 }),
});

test('O2: whatever the limits: nothing in use and no question goes, each session has one verdict, unapplied work stays longest', () => {
  fc.assert(
    fc.property(fc.array(anyFacts, { maxLength: 20 }), anyRetention, (some, limits) => {
      const all = some.toSorted((first, second) => first.lastUsedAt - second.lastUsedAt);
      const plan = planRemovals(all, limits, { now, totalBytes: 10 * all.length, bytesOf: () => 10 });
      const removed = new Set(plan.remove.map(({ sessionId }) => sessionId));
      assert.equal(plan.remove.length + plan.keep.length, all.length);
      for (const facts of all.filter(({ sessionId }) => removed.has(sessionId))) {
        assert.ok(!facts.held && !facts.asks);
        const safe = facts.applied || !facts.changes;
        const age = now - facts.lastUsedAt;
        if (!safe) assert.ok(age >= limits.unappliedMilliseconds && age >= limits.endedMilliseconds);
      }
    }),
  );
});

test('the oldest go first, and no more than have to', () => {
  const all = [9, 4, 3, 2, 1].map((days) => ({ ...ended, sessionId: `s-${days}`, lastUsedAt: now - days * day }));
  const plan = (limits: Partial<Retention>, totalBytes = 100) =>
    planRemovals(all, { ...retention, ...limits }, { now, totalBytes, bytesOf: () => 10 }).remove.map(
      ({ sessionId }) => sessionId,
    );
  assert.deepEqual(plan({}), ['s-9']);
  assert.deepEqual(plan({ maximumSessions: 3 }), ['s-9', 's-4']);
  assert.deepEqual(plan({ maximumBytes: 70 }), ['s-9', 's-4', 's-3']);
  assert.deepEqual(plan({ maximumBytes: 90 }), ['s-9']);
});
