// The process in which candidates are screened, many one after the other. It shares its memory with tested code, so
// nothing that it says is final: what looks good here is confirmed in a process of its own (see guard.mjs).
import { writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { explore } from './explore.mjs';
import { failureText } from './failure-text.mjs';
import { freshModules } from './fresh-modules.mjs';
import { installProbes } from './probes.mjs';
import { runTests } from './run-tests.mjs';

const COMMAND_FD = 3;
const REPORT_FD = 4;

const { begin } = createRequire(import.meta.url)('./node-test.cjs');
const stringify = JSON.stringify;
const write = writeSync;
const cpu = process.cpuUsage.bind(process);
const probes = installProbes(Number(process.argv[2]));
let stray;
process.on('uncaughtException', (error) => {
  stray = failureText(error);
});
process.on('unhandledRejection', (error) => {
  stray = failureText(error);
});

function send(value) {
  if (value.kind !== 'end') {
    write(REPORT_FD, `${stringify(value)}\n`);
    return;
  }
  const used = cpu();
  write(REPORT_FD, `${stringify({ ...value, cpuMs: (used.user + used.system) / 1000 })}\n`);
}

/** Loads the test files of the tree at `root` and runs what `select` names; `judge(id, failure)` says whether to go on. */
async function runFiles(command, select, judge, after) {
  for (const file of command.files) {
    const root = await load(command, file, judge);
    if (root === undefined) continue;
    if (root === false) return false;
    after?.();
    if (root.children.length === 0 && judgeFile(command, file, judge) === false) return false;
    const going = await runTests(
      root,
      file,
      (id) => select(id),
      (id) => {
        stray = undefined;
        probes.start(command.stepLimit);
        const end = (failure) => {
          const steps = probes.steps();
          probes.pause();
          if (command.reached !== undefined) probes.addTo(command.reached);
          const found = failure ?? (stray === undefined ? undefined : { message: stray });
          return judge({ id, failure: found, steps });
        };
        const nested = (childId, failure) => judge({ id: childId, failure, steps: probes.steps() });
        return { end, nested, close: () => probes.pause() };
      },
    );
    if (!going) return false;
  }
  return true;
}

/** A file without tests that could be loaded is a test that passes, as the runner has it. */
function judgeFile(command, file, judge) {
  probes.start(command.stepLimit);
  probes.pause();
  return judge({ id: file, failure: undefined, steps: 0 });
}

/** Registers a file's tests, once per copy of the workspace: a module is evaluated only once. */
async function load(command, file, judge) {
  const known = command.loaded.get(file);
  if (known !== undefined) return known;
  const root = begin();
  freshModules(command.root, command.loads.count === 0);
  command.loads.count += 1;
  probes.start(command.stepLimit);
  try {
    await import(pathToFileURL(join(command.root, file)).href);
  } catch (error) {
    const failure = { message: failureText(error) };
    return judge({ id: file, failure, steps: 0 }) === false ? false : undefined;
  } finally {
    probes.pause();
  }
  command.loaded.set(file, root);
  return root;
}

async function observe(command) {
  const load = new Set();
  probes.recordCalls();
  await runFiles(
    command,
    () => true,
    ({ id, failure, steps }) => send({ kind: 'test', id, failure, steps, hits: probes.hits() }),
    () => {
      for (const id of probes.hits()) load.add(id);
    },
  );
  send({ kind: 'end', load: [...load], calls: probes.takeCalls() });
}

/** The failing tests first: a candidate that fixes none of them is done. Then all others, until one breaks. */
async function screen(command) {
  const known = new Set(command.failing);
  const ignored = new Set(command.ignored);
  const isTarget = (id) => command.targets.some((target) => target === id || target.startsWith(`${id} > `));
  const fixed = [];
  const failing = [];
  const reached = new Set();
  let broken;
  const judge = ({ id, failure }) => {
    if (failure === undefined) {
      if (known.has(id)) fixed.push(id);
      return true;
    }
    if (known.has(id)) failing.push(failure);
    if (known.has(id) || ignored.has(id)) return fixed.length > 0 || failing.length < command.patience;
    broken = id;
    return false;
  };
  const files = command.files;
  const first = files.filter((file) => command.targets.some((id) => id.startsWith(`${file} > `)));
  await runFiles({ ...command, files: first, reached }, isTarget, judge);
  if (broken === undefined && fixed.length > 0) await runFiles({ ...command, reached }, (id) => !isTarget(id), judge);
  const limited = failing.some((failure) => failure.limit === true);
  const passes = broken === undefined && fixed.length > 0;
  send({ kind: 'end', fixed, broken, limited, ...(passes ? { reached: [...reached] } : {}) });
}

let folder;

/** Tests find the workspace around them; changing the folder is slow, so it is done only where it must be. */
function enter(command) {
  const next = join(command.home ?? command.root, command.directory);
  if (next !== folder) process.chdir(next);
  folder = next;
}

const commands = { observe, screen, explore: (command) => explore(command, probes, send) };

let queue = Promise.resolve();
let buffered = '';
const input = new Socket({ fd: COMMAND_FD, readable: true, writable: false });
input.setEncoding('utf8');
input.on('data', (chunk) => {
  const lines = (buffered + chunk).split('\n');
  buffered = lines.pop();
  for (const line of lines) {
    const command = JSON.parse(line);
    queue = queue
      .then(() => enter(command))
      .then(() => commands[command.kind]({ ...command, loaded: new Map(), loads: { count: 0 } }))
      .catch((error) => send({ kind: 'end', error: failureText(error) }));
  }
});
input.on('end', () => process.exit(0));
