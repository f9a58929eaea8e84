// node answer-calls.mjs MODULE < CALLS: answers calls of a module as texts, one JSON list. In a process of its own, because
// a mutant may never end. The tests of a mutant use `answerTo` as well, so that both mean the same by an answer.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/** What a call gives, as a text; equal behaviour gives equal text. */
export function answerTo(exports, { of, args }) {
  try {
    const target = of.split('.').reduce((at, key) => (key === '' ? at : at[key]), exports);
    return describe(target(...structuredClone(args)));
  } catch (error) {
    return `throws ${error?.constructor?.name}`;
  }
}

function describe(value, depth = 0) {
  if (depth > 20) return '...';
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : value.toPrecision(12);
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'function') return 'function';
  if (typeof value !== 'object' || value === null) return String(value);
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${describe(value[key], depth + 1)}`);
  return `${Array.isArray(value) ? 'list' : ''}{${members.join(',')}}`;
}

/** The exports of a module: of CommonJS what it assigned. */
export function exportsOf(module, format) {
  return format === 'commonjs' ? module.default : module;
}

if (process.argv[1] === import.meta.filename) {
  const { format, calls } = JSON.parse(readFileSync(0, 'utf8'));
  const exports = exportsOf(await import(pathToFileURL(process.argv[2]).href), format);
  process.stdout.write(JSON.stringify(calls.map((call) => answerTo(exports, call))));
}
