import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Taint } from '@capstan/contracts';
import fc from 'fast-check';
import { type Destination, decideFlow, type FlowFacts, type Sink } from './sink-table.ts';

const sinks: readonly Sink[] = ['read', 'contained-write', 'contained-run', 'code', 'leaves'];
const taints: readonly Taint[] = ['clean', 'tainted', 'unknown'];
const destinations: readonly Destination[] = ['server', 'named', 'clean', 'tainted', 'unknown'];
const flags = [false, true];

/** Every row there can be: 5 sinks, 3 taints, 5 destinations, 3 facts. */
const everything: FlowFacts[] = sinks.flatMap((sink) =>
  taints.flatMap((taint) =>
    destinations.flatMap((destination) =>
      flags.flatMap((afterExternalRead) =>
        flags.flatMap((secret) =>
          flags.map((trustBearing) => ({ sink, taint, destination, afterExternalRead, secret, trustBearing })),
        ),
      ),
    ),
  ),
);
const facts = fc.constantFrom(...everything);

/** The table of requirement G6 in its own words, apart from the code: what each row says. */
function expected(row: FlowFacts): string {
  const leaves = row.sink === 'leaves' || row.sink === 'code';
  if (leaves && row.secret) return 'deny';
  if (row.sink === 'contained-write') return 'allow';
  const tainted = row.taint === 'tainted' || (row.taint === 'unknown' && row.afterExternalRead);
  if (row.sink === 'contained-run') return tainted ? 'exact-approval' : 'allow';
  if (row.sink === 'code') return row.afterExternalRead ? 'exact-approval' : 'as-tier';
  if (row.sink === 'leaves') return ['tainted', 'unknown'].includes(row.destination) ? 'exact-approval' : 'as-tier';
  return 'as-tier';
}

test('G6: the sink table, all 600 rows', () => {
  assert.equal(everything.length, 600);
  for (const row of everything) assert.equal(decideFlow(row).requirement, expected(row), JSON.stringify(row));
});

const strictness = ['allow', 'as-tier', 'exact-approval', 'deny'];
const strict = (row: FlowFacts): number => strictness.indexOf(decideFlow(row).requirement);

test('G6: a fact that is worse never makes a decision milder', () => {
  fc.assert(
    fc.property(facts, (row) => {
      assert.ok(strict({ ...row, afterExternalRead: true }) >= strict(row));
      assert.ok(strict({ ...row, secret: true }) >= strict(row));
      assert.ok(strict({ ...row, taint: 'tainted' }) >= strict(row));
      assert.ok(strict({ ...row, destination: 'tainted' }) >= strict(row));
    }),
    { numRuns: 2_000 },
  );
});

test('G6: contained writes are always allowed, and files that bear trust are named', () => {
  fc.assert(
    fc.property(facts, (row) => {
      const { requirement, rule } = decideFlow({ ...row, sink: 'contained-write' });
      assert.deepEqual([requirement, rule], ['allow', row.trustBearing ? 'trust-bearing-held' : 'contained-write']);
    }),
  );
});
