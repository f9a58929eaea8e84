import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultLimits } from './default-limits.ts';
import { launchInSandbox } from './launch.ts';
import { preflight } from './preflight.ts';
import { createSandboxRunner } from './sandbox-runner.ts';
import { kindsHere } from './testing/attack-fixture.ts';

const searchPath = process.env.PATH ?? '';
const node = process.execPath;
const profile = { binds: [], masked: [], environment: {}, workingDirectory: '/tmp', limits: defaultLimits };

test('G8: the first way that works here is taken, and it says how it contains', async (t) => {
  const [bubblewrap, utilLinux] = kindsHere(searchPath);
  if (bubblewrap?.skip !== false && utilLinux?.skip !== false) return t.skip('needs bubblewrap or util-linux');
  const result = await preflight({ searchPath, node });
  assert.equal(result.kind, bubblewrap?.skip === false ? 'bubblewrap' : 'util-linux', JSON.stringify(result.tried));
  assert.match(result.detail, /no network.*limits by/);
  assert.equal(result.hint, undefined);
});

test('G8: without bubblewrap on the search path it is util-linux, and the reason is told', async (t) => {
  const utilLinux = kindsHere(searchPath)[1];
  if (utilLinux?.skip !== false) return t.skip('needs util-linux: not installed');
  const result = await preflight({ searchPath: '/nowhere', node });
  assert.equal(result.kind, 'util-linux', JSON.stringify(result.tried));
  assert.deepEqual(
    result.tried.map(({ kind, works }) => [kind, works]),
    [
      ['bubblewrap', false],
      ['util-linux', true],
    ],
  );
  assert.match(result.tried[0]?.detail ?? '', /not on the PATH/);
});

test('G8: where nothing works there is a hint and no way', async () => {
  const result = await preflight({ searchPath: '/nowhere', node: '/nowhere/node' });
  assert.equal(result.kind, 'none');
  assert.ok((result.hint ?? '').length > 20);
  assert.deepEqual(
    result.tried.map(({ works }) => works),
    [false, false],
  );
});

test('G8: kind none refuses to run anything', async () => {
  const runner = createSandboxRunner({ kind: 'none', searchPath });
  const output = await runner.run({ argv: ['true'], profile });
  assert.deepEqual([output.ended, output.exitCode, output.containment], ['not-started', null, 'none']);
  assert.match(Buffer.from(output.stderr).toString(), /Install bubblewrap/);
  assert.throws(() => launchInSandbox('none', profile, ['true'], searchPath), { code: 'no-sandbox' });
});

test('G8: a way that is missing is not replaced by another', async () => {
  const runner = createSandboxRunner({ kind: 'bubblewrap', searchPath: '/nowhere' });
  const output = await runner.run({ argv: ['true'], profile });
  assert.deepEqual([output.ended, output.containment], ['not-started', 'bubblewrap']);
});
