import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { pathBreak } from '../policy/path-rules.ts';
import { fakeGateway } from '../testing/fake-gateway.ts';

test('T3: whatever way a path takes, one that passes stays inside and away from secrets', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-policy-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const root = join(folder, 'root');
  mkdirSync(join(root, 'a/b'), { recursive: true });
  mkdirSync(join(root, '.ssh'));
  symlinkSync('/etc', join(root, 'out'));
  symlinkSync('../..', join(root, 'a/up'));
  symlinkSync('.ssh', join(root, 'hidden'));
  symlinkSync('b', join(root, 'a/fine'));
  const segment = fc.constantFrom('a', 'b', '..', '.', 'up', 'out', 'hidden', 'fine', '.ssh', '~', '', 'x.ts', '.env');
  await fc.assert(
    fc.asyncProperty(fc.array(segment, { minLength: 1, maxLength: 7 }), fc.boolean(), async (segments, absolute) => {
      const path = `${absolute ? '/' : ''}${segments.join('/')}`;
      if ((await pathBreak(path, [root])) !== undefined) return;
      assert.ok(!['out', 'up', 'hidden', '.ssh', '.env'].some((name) => endsUpIn(path, name)), path);
    }),
    { numRuns: 500 },
  );
  assert.equal(await pathBreak('a/fine/x.ts', [root]), undefined);
  assert.equal(await pathBreak(join(root, 'a'), [root]), undefined);
  assert.equal((await pathBreak('a/up/x', [root]))?.rule, 'path-symlink');
  assert.equal((await pathBreak('hidden/id', [root]))?.rule, 'path-secret');
});

/** Lexically: the name is still part of the path after `..` took its predecessors away. */
function endsUpIn(path: string, name: string): boolean {
  const kept: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..') kept.pop();
    else if (segment !== '' && segment !== '.') kept.push(segment);
  }
  const at = kept.indexOf(name);
  // "up" and "out" are links only where they were planted.
  if (name === 'up') return at === 1 && kept[0] === 'a' && !path.startsWith('/');
  if (name === 'out' || name === 'hidden') return at === 0 && !path.startsWith('/');
  return at >= 0;
}

test('G13: a tool that an agent did not declare is refused even when its server offers it', async () => {
  const house = fakeGateway({ read: { _meta: { 'capstan/tier': 'read' } } });
  const outcome = await house.call({}, { tools: ['s__other'] });
  assert.ok(outcome.kind === 'denied');
  assert.equal(outcome.rule, 'undeclared-tool');
  assert.equal(house.sent.length, 0);
});

test('G1: free text is not read as a path, a host or a command', async () => {
  const house = fakeGateway({ read: { _meta: { 'capstan/tier': 'read' } } });
  const input = { content: '../../etc/passwd', query: '~/.ssh', text: 'http://127.0.0.1/', before: '/etc/passwd' };
  assert.equal((await house.call({ arguments: input })).kind, 'result');
});

test('G1: rules name themselves for paths under any name, private hosts and shells', async () => {
  const house = fakeGateway({ read: { _meta: { 'capstan/tier': 'read' } } });
  const rule = async (input: Record<string, unknown>) => {
    const outcome = await house.call({ arguments: input });
    return outcome.kind === 'denied' ? outcome.rule : outcome.kind;
  };
  assert.equal(await rule({ anything: '../x' }), 'path-outside');
  assert.equal(await rule({ edits: [{ filePath: '/etc/hosts' }] }), 'path-outside');
  assert.equal(await rule({ 路径: '/etc/hosts' }), 'path-outside');
  assert.equal(await rule({ which: 'home/.ssh/id_rsa' }), 'path-secret');
  assert.equal(await rule({ link: 'http://169.254.169.254/' }), 'host-private');
  assert.equal(await rule({ argv: ['bash', '-c', 'id'] }), 'command-shell');
  assert.equal(house.sent.length, 0);
});

test('T3: protected paths can be read and not changed, also by way of a link or another spelling', async (t) => {
  const workspaceRoot = mkdtempSync(join(tmpdir(), 'capstan-protected-'));
  t.after(() => rmSync(workspaceRoot, { recursive: true, force: true }));
  mkdirSync(join(workspaceRoot, 'db/migrations'), { recursive: true });
  symlinkSync('db', join(workspaceRoot, 'data'));
  const tools = { read: { _meta: { 'capstan/tier': 'read' } }, write: { _meta: { 'capstan/tier': 'write' } } };
  const house = fakeGateway(tools, { contained: ['write'] }, { workspaceRoot, protectedPaths: ['db/migrations/**'] });
  let calls = 0;
  const rule = async (name: string, input: Record<string, unknown>) => {
    calls += 1;
    const outcome = await house.call({ id: `c-${calls}`, name, arguments: input });
    return outcome.kind === 'denied' ? outcome.rule : outcome.kind;
  };
  const protectedOnes = [
    'db/migrations/1.sql',
    './db//migrations/1.sql',
    'DB/Migrations/1.sql',
    'data/migrations/1.sql',
  ];
  for (const path of [...protectedOnes, 'db/x/../migrations/new/1.sql', join(workspaceRoot, 'db/migrations/1.sql')]) {
    assert.equal(await rule('s__write', { files: [{ path, content: 'x' }] }), 'protected-path', path);
    assert.equal(await rule('s__read', { path }), 'result', path);
  }
  assert.equal(await rule('s__write', { paths: ['src/a.ts', 'db/migrations/1.sql'] }), 'protected-path');
  assert.equal(await rule('s__write', { files: [{ path: 'db/seeds.sql', content: 'db/migrations/1.sql' }] }), 'result');
});
