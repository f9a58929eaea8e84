import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventBody, SessionStorage } from '@capstan/contracts';
import { tellProgress } from './tell-progress.ts';

/** A log that keeps one row per key. */
function fakeLog() {
  const rows = new Map<string, EventBody>();
  const append: SessionStorage['events']['append'] = async (key, body) => {
    rows.set(key, body);
    return { sessionId: 's', number: rows.size, at: 0, body };
  };
  return { rows, events: { append } };
}

test('opening a large workspace says how far it is, each state once, and nothing after its end', async () => {
  const { rows, events } = fakeLog();
  const progress = tellProgress(events, 5);
  await sleep(50);
  assert.equal(rows.size, 0, 'nothing to say yet');
  progress.update({ phase: 'reading', files: 7 });
  while (rows.size === 0) await sleep(5);
  await sleep(50);
  progress.update({ phase: 'writing', files: 9 });
  while (rows.size === 1) await sleep(5);
  await progress.end();
  progress.update({ phase: 'writing', files: 10 });
  await sleep(50);
  assert.deepEqual(
    [...rows.values()],
    [
      { type: 'workspace-progress', phase: 'reading', files: 7 },
      { type: 'workspace-progress', phase: 'writing', files: 9 },
    ],
  );
});
