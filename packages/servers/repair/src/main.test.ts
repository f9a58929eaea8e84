import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { createSandboxRunner, defaultLimits, toolchainFor } from '@capstan/sandbox';
import { openBench, type RepairBench } from './testing/repair-client.ts';

const FILES = {
  'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }\n',
  '.env': 'SECRET=canary\n',
  'src/cart.js': `/** Sum of all prices. */
export function total(prices) {
  let sum = 0;
  for (let at = 1; at < prices.length; at += 1) sum += prices[at];
  return sum;
}

export function isCheap(price, limit) {
  return price < limit;
}
`,
  'test/cart.test.js': `import assert from 'node:assert/strict';
import { readFileSync, existsSync } from 'node:fs';
import { test } from 'node:test';
import { isCheap, total } from '../src/cart.js';

test('adds all prices', () => assert.equal(total([1, 2, 3]), 6));
test('nothing costs nothing', () => assert.equal(total([]), 0));
test('the limit itself is cheap', () => assert.equal(isCheap(5, 5), true));
test('above the limit is not', () => assert.equal(isCheap(6, 5), false));
test('secrets are not here', () => assert.ok(!existsSync('.env') || readFileSync('.env', 'utf8') === ''));
`,
};

const searchPath = `${dirname(process.execPath)}:${process.env.PATH ?? ''}`;

for (const kind of ['bubblewrap', 'util-linux'] as const) {
  const reason = await whyNot(kind);
  describe(`repair in ${kind}`, { skip: reason ?? false }, () => {
    // Opened by the first test that runs: none may, when the run is filtered by names.
    let bench: Promise<RepairBench> | undefined;
    after(async () => (await bench)?.close());
    declareTests(() => {
      bench ??= openBench(kind, FILES);
      return bench;
    });
  });
}

/** Undefined where this way to contain works on this machine. */
async function whyNot(kind: 'bubblewrap' | 'util-linux'): Promise<string | undefined> {
  const toolchain = await toolchainFor(['node'], searchPath);
  const profile = { binds: toolchain.binds, masked: [], environment: toolchain.environment, limits: defaultLimits };
  const output = await createSandboxRunner({ kind, searchPath }).run({
    argv: ['node', '-e', '0'],
    profile: { ...profile, workingDirectory: '/tmp' },
  });
  return output.exitCode === 0 ? undefined : `needs ${kind}: it does not work on this machine`;
}

function declareTests(open: () => Promise<RepairBench>): void {
  let proposalId = '';

  test('N2: localise_fault reproduces and ranks lines, and a repeated call gives the same answer', async () => {
    const bench = await open();
    const found = await bench.call('localise_fault', {});
    const { failing, passing, unstable, locations, harness } = found.structured;
    assert.deepEqual(failing, ['test/cart.test.js > adds all prices', 'test/cart.test.js > the limit itself is cheap']);
    assert.deepEqual([passing, unstable, harness], [3, [], 'screened']);
    assert.ok(locations.some((one: { path: string; line: number }) => one.path === 'src/cart.js' && one.line === 4));
    await bench.restart();
    assert.deepEqual(await bench.call('localise_fault', { checkId: 'npm:test' }), found);
  });

  test('N2: propose_patches names operators and shows the most promising, untested', async () => {
    const bench = await open();
    const { structured } = await bench.call('localise_fault', {});
    const found = await bench.call('propose_patches', { localisationId: structured.localisationId });
    proposalId = found.structured.proposalId;
    assert.ok(found.structured.count > 10);
    assert.ok(found.structured.byOperator['comparison/relation'] > 0);
    assert.match(found.text, /none tested/);
  });

  test('N1: validate_patch ranks what passes, with edits for the file tools, progress, and the workspace untouched', async () => {
    const bench = await open();
    const messages: string[] = [];
    const found = await bench.call('validate_patch', { proposalId }, (message) => messages.push(message));
    const { plausible, exhausted, tried } = found.structured;
    assert.equal(exhausted, true);
    assert.ok(tried > 10 && messages.length > 0);
    const texts = plausible.map((patch: { edits: { newText: string }[] }) => patch.edits[0]?.newText.trim());
    assert.ok(texts.includes('return price <= limit;'), texts.join('\n'));
    assert.ok(
      texts.some((text: string) => text.startsWith('for (let at = 0;')),
      texts.join('\n'),
    );
    assert.deepEqual(plausible[0].edits.length, 1);
    assert.match(plausible[0].diff, /^--- a\/src\/cart\.js\n\+\+\+ b\/src\/cart\.js\n/);
    assert.equal(await readFile(join(bench.root, 'src/cart.js'), 'utf8'), FILES['src/cart.js']);
  });

  test('N2: the same call after a restart gives the same answer without running anything again', async () => {
    const bench = await open();
    const first = await bench.call('validate_patch', { proposalId });
    await bench.restart();
    assert.deepEqual(await bench.call('validate_patch', { proposalId }), first);
  });

  test('N2: patches of a model are judged in the same way', async () => {
    const bench = await open();
    const [line, oldText] = [9, '  return price < limit;'];
    const edit = (newText: string): object => ({ edits: [{ path: 'src/cart.js', line, oldText, newText }] });
    const patches = [edit('  return price < limit + 1;'), edit('  return process.exit(0);')];
    const { structured } = await bench.call('validate_patch', { proposalId, patches });
    assert.deepEqual([structured.tried, structured.plausible.length], [2, 1]);
    assert.deepEqual(structured.plausible[0].fixes, ['test/cart.test.js > the limit itself is cheap']);
    const wrong = await bench.call('validate_patch', {
      proposalId,
      patches: [{ edits: [{ path: 'src/cart.js', line: 1, oldText: 'x', newText: 'y' }] }],
    });
    assert.equal(wrong.failure?.level, 'param');
  });

  test('unknown ids, checks and a changed workspace are said', async () => {
    const bench = await open();
    const unknown = await bench.call('propose_patches', { localisationId: 'localisation-0000000000000000' });
    assert.equal(unknown.failure?.level, 'param');
    const climbing = await bench.call('validate_patch', { proposalId: '../../etc/passwd' });
    assert.equal(climbing.failure?.level, 'param');
    const check = await bench.call('localise_fault', { checkId: 'npm:nothing' });
    assert.match(check.failure?.hint ?? '', /npm:test/);
    await writeFile(
      join(bench.root, 'src/cart.js'),
      FILES['src/cart.js'].replace('at = 1', 'at = 0').replace('price < limit', 'price <= limit'),
    );
    const stale = await bench.call('validate_patch', { proposalId });
    assert.match(stale.failure?.message ?? '', /changed/);
    const again = await bench.call('localise_fault', {});
    assert.deepEqual([again.structured.failing, again.structured.passing], [[], 5]);
  });
}

test('G8: without a sandbox nothing runs', async (t) => {
  const bench = await openBench('none', FILES);
  t.after(() => bench.close());
  const { failure } = await bench.call('localise_fault', {});
  assert.deepEqual([failure?.level, failure?.code], ['fatal', 'no-sandbox']);
});

test('N3: tests that run built files are refused, with the reason', async (t) => {
  const reason = await whyNot('bubblewrap');
  if (reason !== undefined) return t.skip(reason);
  const files = { ...FILES, 'package.json': '{ "scripts": { "test": "npm run build && node --test dist/" } }\n' };
  const bench = await openBench('bubblewrap', files);
  t.after(() => bench.close());
  const { failure } = await bench.call('localise_fault', {});
  assert.deepEqual([failure?.level, failure?.code], ['fatal', 'unsolved']);
  assert.match(failure?.message ?? '', /^The tests of npm:test run built files; repair changes sources/);
});

test('N2: no patch is proposed for a file that the configuration protects', async (t) => {
  const reason = await whyNot('bubblewrap');
  if (reason !== undefined) return t.skip(reason);
  const bench = await openBench('bubblewrap', FILES, ['--protect', 'src/**']);
  t.after(() => bench.close());
  const { structured } = await bench.call('localise_fault', {});
  assert.deepEqual([structured.failing.length, structured.locations, structured.left], [2, [], ['src/cart.js']]);
  const proposed = await bench.call('propose_patches', { localisationId: structured.localisationId });
  assert.equal(proposed.structured.count, 0);
});
