// Runs the tests that node-test.cjs has registered, one after the other.
import assert from 'node:assert';
import { failureText } from './failure-text.mjs';

const DEFAULT_TIMEOUT_MS = 2000;

/**
 * Runs the tests below `root` that `select(id)` names. `around(id)` is told of each start and returns a function that
 * is told of its result; that function returns false to stop. Returns false when it was stopped.
 */
export async function runTests(root, file, select, around) {
  const run = { select, around };
  return await runSuite(root, file, [], run);
}

async function runSuite(suite, prefix, chain, run) {
  await suite.ready;
  const lines = [...chain, suite];
  const chosen = suite.children.filter((child) => !child.skip && wants(child, idOf(prefix, child, suite), run));
  if (chosen.length === 0) return true;
  for (const hook of suite.before) await hook({ name: suite.name });
  let going = true;
  for (const child of chosen) {
    const id = idOf(prefix, child, suite);
    going = child.kind === 'suite' ? await runSuite(child, id, lines, run) : await runTest(child, id, lines, run);
    if (!going) break;
  }
  for (const hook of suite.after) await hook({ name: suite.name });
  return going;
}

function idOf(prefix, child, suite) {
  const same = suite.children.filter((other) => other.name === child.name);
  const nth = same.indexOf(child);
  return `${prefix} > ${child.name}${nth > 0 ? ` #${nth + 1}` : ''}`;
}

function wants(child, id, run) {
  if (child.kind === 'test') return run.select(id);
  return child.children.some((grand) => !grand.skip && wants(grand, idOf(id, grand, child), run)) || isPending(child);
}

function isPending(suite) {
  return typeof suite.ready?.then === 'function';
}

async function runTest(entry, id, chain, run) {
  const done = run.around(id);
  const nested = [];
  const failure = await attempt(entry, id, chain, nested);
  for (const one of nested) if (done.nested(one.id, one.failure) === false) return false;
  if (nested.length > 0 && failure === undefined) return done.close() !== false;
  return done.end(failure) !== false;
}

async function attempt(entry, id, chain, nested) {
  const context = newContext(entry, id, nested);
  try {
    for (const suite of chain) for (const hook of suite.beforeEach) await hook(context);
    await callBody(entry, context);
    await settle(context);
  } catch (error) {
    return asFailure(error);
  } finally {
    try {
      for (const suite of chain.toReversed?.() ?? [...chain].reverse()) {
        for (const hook of suite.afterEach) await hook(context);
      }
    } catch (error) {
      nested.push({ id: `${id} > <afterEach>`, failure: asFailure(error) });
    }
  }
  return undefined;
}

function asFailure(error) {
  return { message: failureText(error), limit: error?.name === 'StepLimit' };
}

/** A body with two parameters takes a callback, as in node:test. */
function callBody(entry, context) {
  const body = () => {
    if (entry.body.length < 2) return entry.body.call(context, context);
    return new Promise((resolve, reject) => {
      entry.body.call(context, context, (error) => (error ? reject(error) : resolve()));
    });
  };
  const result = body();
  if (typeof result?.then !== 'function') return result;
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('test timed out')), entry.timeout ?? DEFAULT_TIMEOUT_MS);
  });
  return Promise.race([result, late]).finally(() => clearTimeout(timer));
}

async function settle(context) {
  await Promise.all(context.pending);
  for (const hook of context.cleanups) await hook(context);
  if (context.planned !== undefined) assert.equal(context.assertions, context.planned, 'plan');
}

function newContext(entry, id, nested) {
  const context = {
    name: entry.name,
    fullName: id,
    pending: [],
    names: new Map(),
    cleanups: [],
    assertions: 0,
    planned: undefined,
    signal: new AbortController().signal,
    assert,
    diagnostic() {},
    skip() {},
    todo() {},
    runOnly() {},
    after: (hook) => void context.cleanups.push(hook),
    plan: (count) => {
      context.planned = count;
      context.assert = counted(context);
    },
    test(name, options, body) {
      context.assertions += 1;
      const own = typeof options === 'function' ? options : body;
      const child = { name: String(name), body: own ?? (() => {}), timeout: options?.timeout };
      const childId = nextId(context, id, child.name);
      const skipped = options?.skip || options?.todo;
      const result = skipped ? Promise.resolve() : runNested(child, childId, nested);
      context.pending.push(result);
      return result;
    },
  };
  return context;
}

/** Namesakes in one test are numbered in the order of their registration, as those of a suite are. */
function nextId(context, id, name) {
  const nth = (context.names.get(name) ?? 0) + 1;
  context.names.set(name, nth);
  return `${id} > ${name}${nth > 1 ? ` #${nth}` : ''}`;
}

/** A test with tests of its own is told by them, unless it failed by itself. */
async function runNested(child, childId, nested) {
  const own = [];
  const failure = await attempt(child, childId, [], own);
  nested.push(...own);
  if (own.length === 0 || failure !== undefined) nested.push({ id: childId, failure });
}

function counted(context) {
  return new Proxy(assert, {
    get(target, key) {
      const method = target[key];
      if (typeof method !== 'function') return method;
      return (...given) => {
        context.assertions += 1;
        return method(...given);
      };
    },
  });
}
