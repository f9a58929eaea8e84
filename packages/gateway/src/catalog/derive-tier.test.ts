import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Tier, type ToolAnnotations, Trust, type WireTool } from '@capstan/contracts';
import fc from 'fast-check';
import type { ServerSpec } from '../server-spec.ts';
import { deriveTier } from './derive-tier.ts';

const order = Tier.options;
const rank = (tier: Tier): number => order.indexOf(tier);
const spec = (trust: Trust, tiers?: Record<string, Tier>): ServerSpec => ({
  ...{ name: 's', trust, command: '', args: [], environment: {} },
  ...(tiers === undefined ? {} : { tiers }),
});
const hints = fc.record(
  { readOnlyHint: fc.boolean(), destructiveHint: fc.boolean(), idempotentHint: fc.boolean() },
  { requiredKeys: [] },
);
const toolWith = (annotations: ToolAnnotations, more: Partial<WireTool> = {}): WireTool => ({
  ...{ name: 't', inputSchema: { type: 'object' }, annotations },
  ...more,
});

test('G3: whatever a server says of itself never lowers a tier', () => {
  fc.assert(
    fc.property(hints, fc.constantFrom(...Trust.options), fc.constantFrom(...order), (annotations, trust, assigned) => {
      assert.ok(rank(deriveTier(spec(trust, { t: assigned }), toolWith(annotations))) >= rank(assigned));
      if (trust !== 'official') assert.ok(rank(deriveTier(spec(trust), toolWith(annotations))) >= rank('write'));
    }),
  );
});

test('G3: tools of our own servers have the tier they declare, raised by their hints', () => {
  const own = (tier: Tier, annotations = {}) =>
    deriveTier(spec('official'), toolWith(annotations, { _meta: { 'capstan/tier': tier } }));
  assert.deepEqual(
    order.map((tier) => own(tier)),
    order,
  );
  assert.equal(own('read', { destructiveHint: true }), 'write');
  assert.equal(deriveTier(spec('official'), toolWith({})), 'write');
});

test('G3: a free text parameter for a command makes an unknown tool dangerous', () => {
  const tool = (name: string, schema: object) =>
    toolWith({}, { inputSchema: { type: 'object', properties: { [name]: schema } } });
  assert.equal(deriveTier(spec('third-party'), tool('command', { type: 'string' })), 'dangerous');
  assert.equal(deriveTier(spec('third-party'), tool('脚本', { type: 'string' })), 'dangerous');
  assert.equal(deriveTier(spec('third-party'), tool('command', { enum: ['start', 'stop'] })), 'write');
});
