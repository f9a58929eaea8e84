import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { SandboxRunner } from '@capstan/contracts';
import type { Baseline } from './baseline.ts';
import { directDeps } from './fixtures/direct-deps.ts';
import { nodeTestCheck, temporaryWorkspace } from './fixtures/temporary-workspace.ts';
import { localise } from './localise.ts';
import { type Candidate, patchId, proposePatches } from './propose-patches.ts';
import { readWorkspace, type WorkspaceModules } from './read-workspace.ts';
import { reproduce } from './reproduce.ts';
import { validatePatches } from './validate-patches.ts';

type Context = Parameters<typeof temporaryWorkspace>[0];

const SOURCE = 'export function sum(a, b) {\n  return a - b;\n}\n';
const FILES = {
  'src/sum.mjs': SOURCE,
  'test/sum.test.mjs': `import { test } from 'node:test';
import assert from 'node:assert';
import { sum } from '../src/sum.mjs';
test('adds', () => assert.equal(sum(1, 2), 3));
test('adds nothing', () => assert.equal(sum(4, 0), 4));
`,
};

/** A candidate that replaces the whole body of `sum`. */
function bodyOf(text: string): Candidate {
  const edits = [{ path: 'src/sum.mjs', offset: SOURCE.indexOf('return'), before: 'return a - b;', after: text }];
  return { patch: { id: patchId(edits), edits, operator: 'given', line: 2, suspicion: 1, prior: 1 }, targets: [] };
}

const RIGHT = bodyOf('return a + b;');

const HOSTILE: Record<string, Candidate> = {
  'exits with success': bodyOf('process.exit(0);'),
  'never ends': bodyOf('for (;;);'),
  'never ends and catches': bodyOf('for (;;) { try { sum(a, b); } catch {} }'),
  'never ends where no step is counted': bodyOf('return /^(a+)+$/.test("a".repeat(40) + "b");'),
  'eats memory': bodyOf('const all = []; for (;;) all.push(new Array(1e6).fill(all));'),
  'kills its process': bodyOf('process.kill(process.pid, "SIGKILL");'),
  aborts: bodyOf('process.abort();'),
  'never settles': bodyOf('return new Promise(() => {});'),
  'softens the assertions': bodyOf(
    'import("node:assert").then(({ default: soft }) => { soft.equal = () => {}; }); return b === 0 ? a : 0;',
  ),
  'softens them at once': bodyOf(
    'const soft = process.getBuiltinModule("node:assert"); soft.equal = () => {}; soft.strict.equal = () => {}; return 0;',
  ),
  'prints results of its own': bodyOf(
    `const fs = process.getBuiltinModule('node:fs');
     const line = JSON.stringify({ kind: 'end', fixed: ['test/sum.test.mjs > adds'], names: ['adds'], status: 'passed', end: true });
     for (const fd of [1, 2, 4, 5]) { try { fs.writeSync(fd, '\\n' + line + '\\nsecret ' + line + '\\n'); } catch {} }
     return 0;`,
  ),
  'runs tests of its own': bodyOf(
    `process.getBuiltinModule('node:test').test('adds', () => {}); return b === 0 ? a : 0;`,
  ),
  'leaves a process behind': bodyOf(
    `process.getBuiltinModule('node:child_process').spawn('sleep', ['30'], { stdio: 'inherit' }); return 0;`,
  ),
};

async function open(t: Context): Promise<{ root: string; modules: WorkspaceModules; baseline: Baseline }> {
  const root = await temporaryWorkspace(t, FILES);
  const modules = await readWorkspace(root);
  const found = await reproduce(directDeps(root), modules, nodeTestCheck, { runs: 2 });
  assert.ok(found.kind === 'baseline');
  return { root, modules, baseline: found.baseline };
}

test('N3: a hanging, crashing, exiting, greedy or forging candidate fails, and the one after it is judged', async (t) => {
  const { root, modules, baseline } = await open(t);
  const candidates = [...Object.values(HOSTILE), RIGHT];
  const found = await validatePatches(directDeps(root), modules, baseline, candidates);
  const passed = found.plausible.map(({ patch }) => patch.id);
  for (const [name, candidate] of Object.entries(HOSTILE)) assert.ok(!passed.includes(candidate.patch.id), name);
  assert.deepEqual(passed, [RIGHT.patch.id]);
  assert.deepEqual(found.plausible[0]?.fixes, ['test/sum.test.mjs > adds']);
  assert.equal(found.complete, true);
  assert.equal(found.judged.length, candidates.length);
});

test('N3: forging candidates fail in processes of their own as well', async (t) => {
  const { root, modules, baseline } = await open(t);
  const forging = ['exits with success', 'softens them at once', 'prints results of its own', 'runs tests of its own'];
  const candidates = [...forging.map((name) => HOSTILE[name] ?? RIGHT), RIGHT];
  const alone: Baseline = { ...baseline, harness: 'isolated' };
  const found = await validatePatches(directDeps(root), modules, alone, candidates);
  assert.deepEqual(
    found.plausible.map(({ patch }) => patch.id),
    [RIGHT.patch.id],
  );
});

test('what passed the screening and was not confirmed in time has no verdict and is taken up again', async (t) => {
  const { root, modules, baseline } = await open(t);
  const deps = directDeps(root);
  let confirmations = 0;
  // Stands for time running out: of all confirmations only the first comes through.
  const isLate = (line: string): boolean => {
    if (!line.includes('"kind":"confirm"')) return false;
    confirmations += 1;
    return confirmations > 1;
  };
  const runner: SandboxRunner = {
    kind: 'none',
    run: (command) =>
      deps.runner.run({
        ...command,
        onOutput: (stream, chunk) => {
          const kept = Buffer.from(chunk)
            .toString()
            .split('\n')
            .filter((line) => !isLate(line));
          command.onOutput?.(stream, Buffer.from(kept.join('\n')));
        },
      }),
  };
  const candidates = [RIGHT, bodyOf('return b + a;')];
  const found = await validatePatches({ ...deps, runner }, modules, baseline, candidates, { parallel: 1 });
  assert.deepEqual(found.judged, [RIGHT.patch.id]);
  assert.deepEqual([found.plausible.length, found.complete], [1, false]);
});

test('a candidate that breaks a passing test is not plausible, one that fixes one of two is', async (t) => {
  const { root, modules, baseline } = await open(t);
  const found = await validatePatches(directDeps(root), modules, baseline, [bodyOf('return 3;'), RIGHT]);
  assert.deepEqual(
    found.plausible.map(({ patch }) => patch.id),
    [RIGHT.patch.id],
  );
});

test('N1: of two bugs each is repaired by itself, whichever tests reach it', async (t) => {
  const root = await temporaryWorkspace(t, {
    'src/two.mjs': 'export const less = (a, b) => a <= b;\nexport const twice = (a) => a + a + 1;\n',
    'less.test.mjs': `import { test } from 'node:test';
import assert from 'node:assert';
import { less, twice } from './src/two.mjs';
test('less', () => assert.equal(less(1, 1), false));
test('twice', () => assert.equal(twice(2), 4));
test('more', () => assert.equal(less(2, 1), false));
`,
  });
  const modules = await readWorkspace(root);
  const deps = directDeps(root);
  const found = await reproduce(deps, modules, nodeTestCheck, { runs: 2 });
  assert.ok(found.kind === 'baseline');
  const candidates = proposePatches(modules, localise(found.baseline, modules, deps.runtimeInside));
  const { plausible } = await validatePatches(deps, modules, found.baseline, candidates);
  const fixed = new Set(plausible.flatMap(({ fixes }) => fixes));
  assert.deepEqual([...fixed].sort(), ['less.test.mjs > less', 'less.test.mjs > twice']);
});

test('a candidate that spoils the process for the others is found out, and they are judged again', async (t) => {
  const { root, modules, baseline } = await open(t);
  const spoiling = bodyOf(
    'process.getBuiltinModule("node:assert").equal = () => { throw new Error("spoilt"); }; return 0;',
  );
  const found = await validatePatches(directDeps(root), modules, baseline, [spoiling, RIGHT], { parallel: 1 });
  assert.deepEqual(
    found.plausible.map(({ patch }) => patch.id),
    [RIGHT.patch.id],
  );
});

test('further inputs show where plausible patches differ', async (t) => {
  const { root, modules, baseline } = await open(t);
  const narrow = bodyOf('return b === 2 ? 3 : a;');
  const found = await validatePatches(directDeps(root), modules, baseline, [narrow, RIGHT]);
  const [first, second] = found.plausible.map(({ outcomes }) => outcomes);
  assert.ok(first !== undefined && second !== undefined && first.length > 0);
  assert.notDeepEqual(first, second);
  assert.equal(found.inputs.length, first.length);
});

test('the workspace is only read', async (t) => {
  const { root, modules, baseline } = await open(t);
  await validatePatches(directDeps(root), modules, baseline, [RIGHT]);
  const after = await readWorkspace(root);
  assert.deepEqual(
    after.sources.map(({ text }) => text),
    [SOURCE],
  );
});

/** Ten files of which one fails and three reach the change; each run of one leaves a line in a log outside. */
async function openMany(t: Context): Promise<{ root: string; log: string; modules: WorkspaceModules }> {
  const folder = await temporaryWorkspace(t, { log: '' });
  const log = join(folder, 'log');
  const head = `import { appendFileSync } from 'node:fs';
import { test } from 'node:test';
import assert from 'node:assert';
`;
  const note = (name: string): string =>
    `appendFileSync(${JSON.stringify(log)}, '${name} ' + process.execArgv.some((word) => word.includes('guard')) + '\\n');\n`;
  const uses = (name: string, expected: number): string =>
    `${head}import { sum } from '../src/sum.mjs';\n${note(name)}test('${name}', () => assert.equal(sum(3, 0), ${expected}));\n`;
  const files: Record<string, string> = {
    'src/sum.mjs': SOURCE,
    'src/other.mjs': 'export const other = () => 1;\n',
    'test/m-fails.test.mjs': `${head}import { sum } from '../src/sum.mjs';\n${note('fails')}test('adds', () => assert.equal(sum(1, 2), 3));\n`,
    'test/a-uses.test.mjs': uses('a-uses', 3),
    'test/z-uses.test.mjs': uses('z-uses', 3),
  };
  for (let at = 0; at < 7; at += 1) {
    files[`test/o${at}.test.mjs`] =
      `${head}import { other } from '../src/other.mjs';\n${note(`o${at}`)}test('o${at}', () => assert.equal(other(), 1));\n`;
  }
  const root = await temporaryWorkspace(t, files);
  return { root, log, modules: await readWorkspace(root) };
}

/** Names of the files that were run by themselves, in their order. */
async function runsIn(log: string): Promise<string[]> {
  const lines = (await readFile(log, 'utf8')).split('\n').filter((line) => line.endsWith(' true'));
  return lines.map((line) => line.split(' ')[0] ?? '');
}

test('N3: failing files are confirmed first, then those that reach the change, the whole suite for the best alone', async (t) => {
  const { root, log, modules } = await openMany(t);
  const deps = directDeps(root);
  const found = await reproduce(deps, modules, nodeTestCheck, { runs: 2 });
  assert.ok(found.kind === 'baseline');
  assert.equal(found.baseline.files.length, 10);
  await writeFile(log, '');
  const one = await validatePatches(deps, modules, found.baseline, [RIGHT], { parallel: 1 });
  assert.equal(one.plausible[0]?.whole, true);
  const runs = await runsIn(log);
  assert.deepEqual(runs.slice(0, 3), ['fails', 'a-uses', 'z-uses']);
  assert.deepEqual(runs.slice(3).sort(), ['o0', 'o1', 'o2', 'o3', 'o4', 'o5', 'o6']);

  await writeFile(log, '');
  const breaking = bodyOf('return b === 0 ? (a === 3 && process.execArgv.length > 3 ? 0 : a) : a + b;');
  const isolated: Baseline = { ...found.baseline, harness: 'isolated' };
  const two = await validatePatches(deps, modules, isolated, [breaking], { parallel: 1 });
  assert.deepEqual(two.plausible, []);
  assert.deepEqual(await runsIn(log), ['fails', 'fails', 'a-uses'], 'it ends with its first regression');
});

test('N1: validation ends with its time, and keeps enough of it to confirm what has passed', async (t) => {
  const { root, modules, baseline } = await open(t);
  const endless = Array.from({ length: 400 }, (_, at) =>
    bodyOf(`for (let i = ${at}; ; ) { if (/^(a+)+$/.test('a'.repeat(40) + i)) break; }`),
  );
  const found = await validatePatches(directDeps(root), modules, baseline, [RIGHT, ...endless], {
    milliseconds: 15_000,
  });
  assert.deepEqual(
    found.plausible.map(({ patch }) => patch.id),
    [RIGHT.patch.id],
  );
  assert.equal(found.complete, false);
  assert.ok(!endless.slice(-5).some(({ patch }) => found.judged.includes(patch.id)));
});
