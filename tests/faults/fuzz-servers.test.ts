import assert from 'node:assert/strict';
import { test } from 'node:test';
import { officialServerNames } from '../../apps/cli/src/official-server.ts';
import { fuzzOfficialServer } from '../../bench/fuzz/fuzz-official-server.ts';
import { installation } from '../scenarios/support/run-capstan.ts';

const calls = 120;
/** Connections that idle, watches, a module that was loaded late. */
const someHandles = 8;

for (const name of await officialServerNames({ installation })) {
  test(`T4 T8: ${name} answers hostile calls and garbage, and goes on; nothing is left open`, async () => {
    const compileCache = process.env.NODE_COMPILE_CACHE;
    const report = await fuzzOfficialServer(name, { installation, compileCache, calls, seed: 7 });
    assert.deepEqual(report.faults, []);
    assert.equal(report.calls, calls);
    assert.equal(report.exit, 0);
    assert.ok(report.garbage > 0 && (report.answers['bad-argument'] ?? 0) > 0, JSON.stringify(report.answers));
    assert.ok(report.handles[1] <= report.handles[0] + someHandles, `open files: ${report.handles.join(' -> ')}`);
  });
}
