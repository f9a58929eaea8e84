// Loaded with --import into a test file's own process, under node:test itself: says what each test of the unpatched
// program reached. It shares its process with tested code, and nothing but the order of candidates depends on it.
import { writeSync } from 'node:fs';
import { afterEach, beforeEach } from 'node:test';
import { installProbes } from './probes.mjs';

const TRACE_FD = 5;
const probes = installProbes(Number(new URL(import.meta.url).searchParams.get('probes')));
const open = new Map();
let load;
probes.recordCalls();

function send(value) {
  writeSync(TRACE_FD, `${JSON.stringify(value)}\n`);
}

beforeEach((context) => {
  if (load === undefined) {
    load = probes.hits();
    send({ load });
  }
  probes.start(Number.POSITIVE_INFINITY);
  open.set(context, context.fullName ?? context.name);
});

afterEach((context) => {
  const name = open.get(context) ?? context.name;
  open.delete(context);
  send({ name, steps: probes.steps(), hits: probes.hits() });
});

process.on('exit', () => send({ calls: probes.takeCalls() }));
