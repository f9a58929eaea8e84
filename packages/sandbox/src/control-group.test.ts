import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { findControlGroups } from './control-group.ts';
import { defaultLimits } from './default-limits.ts';

const source = JSON.stringify(new URL('./control-group.ts', import.meta.url).href);

/** Looks for control groups in a process that leads a group of its own, as a terminal's job does. */
async function look(t: TestContext, meanwhile: string): Promise<{ code: number | null; said: string }> {
  const script = `import { findControlGroups } from ${source};
    process.on('SIGINT', () => undefined);
    const finding = findControlGroups(${JSON.stringify(defaultLimits)});
    ${meanwhile}
    console.log('version', (await finding)?.version);`;
  const options = { detached: true, stdio: ['ignore', 'pipe', 'inherit'] as ['ignore', 'pipe', 'inherit'] };
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], options);
  t.after(() => child.kill('SIGKILL'));
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const [code] = await once(child, 'close');
  return { code, said };
}

test('G8: a Ctrl-C while control groups are tried neither hangs the host nor changes what it finds', async (t) => {
  const groups = await findControlGroups(defaultLimits);
  if (groups === undefined) return t.skip('needs control groups: this process cannot make any');
  const expected = { code: 0, said: `version ${groups.version}\n` };
  assert.deepEqual(await look(t, ''), expected);
  assert.deepEqual(await look(t, "process.kill(-process.pid, 'SIGINT');"), expected);
});
