import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Content, sizes } from '@capstan/contracts';
import fc from 'fast-check';
import { fakeGateway } from '../testing/fake-gateway.ts';

const tier = { _meta: { 'capstan/tier': 'read' } };
const part = fc.oneof(
  fc.nat(20_000).map((length): Content => ({ type: 'text', text: '长'.repeat(length) })),
  fc.nat(60_000).map((length): Content => ({ type: 'image', data: 'A'.repeat(length), mimeType: 'image/png' })),
  fc.nat(20_000).map((length): Content => ({ type: 'resource', resource: { uri: 'x', text: 'y'.repeat(length) } })),
);

test('T7: no result carries more than 32 KiB inline, and nothing that was cut is lost', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 8 }), async (content) => {
      const house = fakeGateway({ read: { ...tier, call: () => ({ content }) } });
      const outcome = await house.call({});
      assert.ok(outcome.kind === 'result');
      assert.ok(Buffer.byteLength(JSON.stringify(outcome.result.content)) <= sizes.inlineLimit);
      const stored = [...house.blobs.values()].map((bytes) => Buffer.from(bytes).toString()).join();
      const inline = JSON.stringify(outcome.result.content);
      for (const sent of content) {
        const body = 'text' in sent ? String(sent.text) : JSON.stringify(sent);
        assert.ok(inline.includes(JSON.stringify(body).slice(1, -1)) || inline.includes(body) || stored.includes(body));
      }
    }),
    { numRuns: 60 },
  );
});

test('T7: structured content stays whole, up to one message', async () => {
  const structured = { rows: 'x'.repeat(100_000) };
  const house = fakeGateway({ read: { ...tier, call: () => ({ content: [], structuredContent: structured }) } });
  const outcome = await house.call({});
  assert.ok(outcome.kind === 'result');
  assert.deepEqual(outcome.result.structured, structured);
  const large = { rows: 'x'.repeat(sizes.messageLimit) };
  const other = fakeGateway({ read: { ...tier, call: () => ({ content: [], structuredContent: large }) } });
  assert.equal((await other.call({})).kind, 'denied');
});
