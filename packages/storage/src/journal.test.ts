import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CapstanError, type JournalEntry, type ToolResult } from '@capstan/contracts';
import { createRedactor } from '@capstan/telemetry';
import fc from 'fast-check';
import { openSession, openTemporary, sampleTask, takeLease } from './testing.ts';

function result(text: string): ToolResult {
  return { content: [{ type: 'text', text }], isError: false, label: sampleTask.label };
}

const step = fc.oneof(
  fc.record({ act: fc.constant('begin' as const), key: fc.nat(2), digest: fc.nat(1) }),
  fc.record({ act: fc.constant('complete' as const), key: fc.nat(2), text: fc.string() }),
  fc.record({ act: fc.constant('restart' as const) }),
);

test('S3: the journal answers as a model of first intents and first outcomes does, over restarts too', async (t) => {
  const { storage, clock } = openTemporary(t);
  let count = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
      count += 1;
      const sessionId = `s-${count}`;
      const model = new Map<number, { digest: string; result?: ToolResult }>();
      let current = storage.session(await takeLease(storage, sessionId));
      for (const item of steps) {
        if (item.act === 'restart') {
          clock.time += 100_000;
          current = storage.session(await takeLease(storage, sessionId));
        } else if (item.act === 'begin') {
          const digest = `digest-${item.digest}`;
          const known = model.get(item.key);
          const expected: JournalEntry<ToolResult> =
            known === undefined
              ? { state: 'new' }
              : known.result === undefined
                ? { state: 'intended', sameDigest: known.digest === digest }
                : { state: 'done', sameDigest: known.digest === digest, result: known.result };
          assert.deepEqual(await current.calls.begin(`k-${item.key}`, digest), expected);
          if (known === undefined) model.set(item.key, { digest });
        } else {
          const known = model.get(item.key);
          const done = current.calls.complete(`k-${item.key}`, result(item.text));
          if (known === undefined) await assert.rejects(done, CapstanError);
          else {
            await done;
            known.result ??= result(item.text);
          }
        }
      }
    }),
    { numRuns: 40 },
  );
});

test('S3: calls and answers are apart, and so are sessions', async (t) => {
  const { storage, session } = await openSession(t);
  const other = storage.session(await takeLease(storage, 's-2'));
  assert.deepEqual(await session.calls.begin('k', 'd'), { state: 'new' });
  assert.deepEqual(await session.answers.begin('k', 'd'), { state: 'new' });
  assert.deepEqual(await other.calls.begin('k', 'd'), { state: 'new' });
});

test('S3: results are kept exactly, secrets included, because a resumed run goes on with them', async (t) => {
  const { session } = await openSession(t, { redact: createRedactor(['hunter2-hunter2']) });
  const large = result(`hunter2-hunter2 \u0000 \ud83d\ude00 ${'x'.repeat(100_000)}`);
  await session.calls.begin('k', 'd');
  await session.calls.complete('k', large);
  assert.deepEqual(await session.calls.begin('k', 'd'), { state: 'done', sameDigest: true, result: large });
});
