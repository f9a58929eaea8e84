import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Label } from '@capstan/contracts';
import fc from 'fast-check';
import { fakeSession } from '../testing/fake-session.ts';
import { createSessionTaint } from './session-taint.ts';

const label = fc.record({
  integrity: fc.constantFrom('user', 'workspace', 'external'),
  secrecy: fc.constantFrom('public', 'secret'),
  origin: fc.constant('x'),
}) as fc.Arbitrary<Label>;

test('G6: what any reader of the log finds is what all results together brought in', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(label, { maxLength: 12 }), async (labels) => {
      const { events } = fakeSession({ now: () => 0 });
      const writer = createSessionTaint(events);
      const witness = createSessionTaint(events);
      const held = { external: false, secret: false };
      for (const [index, next] of labels.entries()) {
        await writer.raise(next, `c-${index}`);
        held.external ||= next.integrity === 'external';
        held.secret ||= next.secrecy === 'secret';
        assert.deepEqual(await writer.current(), held);
        assert.deepEqual(await witness.current(), held);
        assert.deepEqual(await createSessionTaint(events).current(), held);
      }
      assert.ok((await events.read()).length <= 2);
    }),
  );
});
