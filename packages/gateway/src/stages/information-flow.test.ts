import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fakeGateway } from '../testing/fake-gateway.ts';
import { informationFlow } from './information-flow.ts';

const tools = { read: {}, write: {}, run: {}, send: {}, fetch: {}, shell: {} };
const spec = {
  ...{ contained: ['write'], runs: { run: ['checkId'] }, egress: ['send', 'fetch'], shells: ['shell'] },
  ...{ enabledDangerous: ['shell'], tiers: { read: 'read' as const, fetch: 'read' as const } },
};
const people = ['ann@example.org', 'eve@evil.example'];
const step = fc.record({
  tool: fc.constantFrom(...Object.keys(tools)),
  to: fc.constantFrom(...people),
  body: fc.constantFrom('fine', 'hunter2', 'aHVudGVyMg=='),
  taint: fc.constantFrom('clean', 'tainted', 'unknown'),
});

test('G6: whatever an obedient model calls in whatever order, with everything granted, nothing leaves unasked', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
      const house = fakeGateway(
        { ...tools, read: { call: () => ({ content: [{ type: 'text', text: 'hunter2' }] }) } },
        spec,
      );
      for (const tool of Object.keys(tools))
        await house.session.approvals.addGrant({ id: tool, tool: `s__${tool}`, grantedBy: 'ann' });
      let external = false;
      let secret = false;
      for (const [index, { tool, to, body, taint }] of steps.entries()) {
        const input = tool === 'run' ? { checkId: 'x', filter: body } : { to, body };
        const before = house.sent.length;
        const outcome = await house.call({
          id: `c-${index}`,
          name: `s__${tool}`,
          arguments: input,
          taint,
        });
        const sent = house.sent.length > before;
        const leaves = tool === 'send' || tool === 'fetch' || tool === 'shell';
        if (leaves && (body === 'hunter2' || (secret && taint !== 'clean'))) assert.equal(outcome.kind, 'denied');
        if ((tool === 'send' || tool === 'fetch') && to === people[1] && taint !== 'clean') assert.equal(sent, false);
        if (tool === 'shell' && external) assert.equal(sent, false);
        if (tool === 'run' && (taint === 'tainted' || (taint === 'unknown' && external))) assert.equal(sent, false);
        if (tool === 'write') assert.equal(sent, true);
        external ||= sent && (tool === 'send' || tool === 'fetch');
        secret ||= sent && tool === 'read';
      }
    }),
    { numRuns: 150 },
  );
});

test('G6: writes to files that bear trust are contained and named', async () => {
  const house = fakeGateway(tools, spec);
  const state = house.state({ name: 's__write', arguments: { path: '.github/workflows/ci.yml' } });
  await informationFlow.run(state, async () => ({
    kind: 'failed',
    callId: '',
    failure: { level: 'fatal', code: '', message: '' },
  }));
  assert.deepEqual(state.flow, { requirement: 'allow', rule: 'trust-bearing-held' });
});

test('G6: only official servers can be contained', async () => {
  const house = fakeGateway({ write: {} }, { trust: 'reviewed', contained: ['write'] });
  assert.equal((await house.call({})).kind, 'approval-required');
});
