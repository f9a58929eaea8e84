import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { contentRequirements } from './requirements-of-content.ts';
import { roundRequirements } from './requirements-of-rounds.ts';
import { sessionRequirements } from './requirements-of-sessions.ts';
import { StdioPeer } from './stdio-peer.ts';

/** What a version requires over HTTP, but for names in headers, which stdio does not have (dns-rebinding-protection). */
const required = {
  '2025-11-25': { requirements: [...sessionRequirements, ...contentRequirements], count: 30 - 1 },
  '2026-07-28': { requirements: [...roundRequirements, ...contentRequirements], count: 37 - 1 },
} as const;

for (const version of ['2025-11-25', '2026-07-28'] as const) {
  const { requirements, count } = required[version];
  describe(`conformance over stdio, ${version}`, async () => {
    const peer = await StdioPeer.start(version);
    after(() => peer.close());
    for (const { scenario, check } of requirements) test(`T1: ${scenario}`, () => check(peer));

    test(`T1: all ${count} scenarios are there, each once`, () => {
      assert.equal(new Set(requirements.map(({ scenario }) => scenario)).size, count);
      assert.equal(requirements.length, count);
    });
  });
}
