// Calls the exported functions of a candidate with given inputs and describes what each call did and what it left of its
// arguments, so that candidates
// can be grouped by behaviour where the tests see no difference.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const MAX_ITEMS = 2000;

/** Answers `{outcomes}`: one text per call; equal behaviour gives equal text. */
export async function explore(command, probes, send) {
  const outcomes = [];
  for (const call of command.calls) {
    probes.start(Number.POSITIVE_INFINITY);
    let module;
    try {
      module = await import(pathToFileURL(join(command.root, call.path)).href);
    } catch {
      outcomes.push('no module');
      continue;
    }
    probes.start(command.stepLimit);
    outcomes.push(await outcomeOf(module[call.name] ?? module.default?.[call.name], structuredClone(call.args)));
    probes.pause();
  }
  send({ kind: 'end', outcomes });
}

async function outcomeOf(subject, args) {
  if (typeof subject !== 'function') return 'no function';
  const before = describe(args);
  try {
    const value = describe(drain(await subject(...args)));
    const after = describe(args);
    return `${value} | ${after === before ? 'same' : after}`;
  } catch (error) {
    return error?.name === 'StepLimit' ? 'endless' : `throws ${error?.constructor?.name}`;
  }
}

function drain(value) {
  if (typeof value?.next !== 'function') return value;
  const items = [];
  for (const item of value) {
    items.push(item);
    if (items.length >= MAX_ITEMS) return { items, more: true };
  }
  return { items };
}

function describe(value, depth = 0) {
  if (depth > 40) return '...';
  if (typeof value === 'number')
    return Number.isInteger(value) || !Number.isFinite(value) ? String(value + 0) : value.toPrecision(12);
  if (typeof value === 'function') return 'function';
  if (typeof value !== 'object' || value === null)
    return typeof value === 'string' ? JSON.stringify(value) : String(value);
  if (Array.isArray(value)) return `[${Array.from(value, (item) => describe(item, depth + 1)).join(',')}]`;
  if (value instanceof Map || value instanceof Set)
    return `${value.constructor.name}${describe([...value], depth + 1)}`;
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${describe(value[key], depth + 1)}`);
  return `{${members.join(',')}}`;
}
