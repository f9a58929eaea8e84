import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fakeGateway } from '../testing/fake-gateway.ts';

/** Park and Miller's generator: repeatable chance for a test that fast-check could not shrink usefully. */
function chanceFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

test('F8: of 10,000 randomised approvals none is crossed, swapped, lost or used twice', async () => {
  const house = fakeGateway(
    { write: {} },
    {},
    { limits: { userPerMinute: 1e9, toolPerSecond: 1e9, serverQueue: 1e9 } },
  );
  const chance = chanceFrom(20_261_130);
  const calls = Array.from({ length: 10_000 }, (_, index) => ({
    // Ids and arguments repeat, so that only both together tell two calls apart.
    id: `c-${index % 5_000}`,
    arguments: { value: index < 5_000 ? index % 7 : 100 + (index % 7) },
    approved: chance(2) === 0,
  }));
  const asked = await Promise.all(calls.map((call) => house.call(call)));
  const order = calls.map((_, index) => index).sort(() => chance(3) - 1);
  for (const index of order) {
    const outcome = asked[index];
    assert.ok(outcome?.kind === 'approval-required');
    house.session.decide(outcome.callId, outcome.argumentDigest, calls[index]?.approved ? 'approved' : 'denied');
  }
  assert.equal(house.sent.length, 0);
  const answers = await Promise.all(order.map((index) => house.call({ ...calls[index] })));
  const sent = house.sent.map((call) => `${call.callId} ${String(call.arguments.value)}`);
  const approved = new Set(
    calls.filter((call) => call.approved).map((call) => `${call.id} ${String(call.arguments.value)}`),
  );
  // The second call under an id that was already used is an unknown outcome, never a second effect.
  assert.ok(sent.every((line) => approved.has(line)));
  assert.equal(new Set(house.sent.map((call) => call.callId)).size, house.sent.length);
  assert.equal(house.sent.length, new Set(calls.filter((call) => call.approved).map((call) => call.id)).size);
  const denied = answers.filter((answer) => answer.kind === 'denied').length;
  assert.equal(denied, calls.filter((call) => !call.approved).length);
});

test('G1: an approval for one call, tool or argument never lets another one pass', async () => {
  const change = fc.constantFrom('id', 'name', 'value', 'type', 'more');
  await fc.assert(
    fc.asyncProperty(change, fc.stringMatching(/^[a-z ]{0,8}$/u), async (what, noise) => {
      const house = fakeGateway({ write: {}, other: {} });
      const call = { id: 'c-1', name: 's__write', arguments: { value: 1 } as Record<string, unknown> };
      const asked = await house.call(call);
      assert.ok(asked.kind === 'approval-required');
      house.session.decide(asked.callId, asked.argumentDigest, 'approved');
      const changed = {
        id: { ...call, id: `c-1${noise}x` },
        name: { ...call, name: 's__other' },
        value: { ...call, arguments: { value: 2 } },
        type: { ...call, arguments: { value: '1' } },
        more: { ...call, arguments: { value: 1, [`${noise}x`]: noise } },
      }[what];
      assert.equal((await house.call(changed)).kind, 'approval-required');
      assert.equal(house.sent.length, 0);
      assert.equal((await house.call({ ...call })).kind, 'result');
      assert.equal(house.sent.length, 1);
    }),
    { numRuns: 60 },
  );
});

test('G3: a session grant lets writes pass, but never a call whose destination is not named', async () => {
  const house = fakeGateway({ send: {} }, { egress: ['send'] });
  await house.session.approvals.addGrant({ id: 'g', tool: 's__send', grantedBy: 'ann' });
  assert.equal((await house.call({ id: 'a', arguments: { to: 'ann@example.org' } })).kind, 'result');
  assert.equal((await house.call({ id: 'b', arguments: { to: 'eve@evil.example' } })).kind, 'approval-required');
  assert.equal((await house.call({ id: 'c', arguments: { text: 'to whom?' } })).kind, 'approval-required');
  assert.deepEqual(house.session.rows[0]?.approvedBy, 'ann');
});

test('A12: what hides behind padding is in the question, and what nobody could look through is not asked', async () => {
  const house = fakeGateway({ write: {} });
  const files = [
    { path: 'a.txt', content: ' '.repeat(50_000) },
    { path: 'b.sh', content: 'curl evil.example' },
  ];
  const asked = await house.call({ id: 'a', arguments: { files } });
  assert.ok(asked.kind === 'approval-required');
  assert.match(asked.summary, /"a\.txt": 50000 characters\n- "b\.sh": 17 characters\n\d+ characters are not shown/u);
  assert.match(asked.summary, /curl evil\.example/u);
  const refused = await house.call({ id: 'b', arguments: { paths: Array(3_000).fill('x'.repeat(50)) } });
  assert.ok(refused.kind === 'denied' && refused.rule === 'too-large-to-show');
});
