import type { Event } from './run-capstan.ts';

/** Members whose values are words of Capstan's own, the same in every run; all other values are shown by their type. */
const words: ReadonlySet<string> = new Set([
  ...['type', 'node', 'status', 'kind', 'phase', 'outcome', 'stage', 'rule', 'level', 'code', 'exitCode', 'verdict'],
  ...[
    'planner',
    'approvals',
    'integrity',
    'secrecy',
    'taint',
    'tool',
    'title',
    'role',
    'approved',
    'applied',
    'checkId',
  ],
  // Of a tool call; the names of a repository's tests are its own.
  ...['call.name', 'calls.name'],
]);

/** A stream of events as text: a line for each, with the shape of its payload. Ids, times, texts and counts are left out. */
export function eventShapes(events: readonly Event[]): string {
  return `${events.map((event) => shapeOf(withoutRow(event))).join('\n')}\n`;
}

/** Without what the line of every event has: where it stands in the log. */
function withoutRow({ session: _session, number: _number, at: _at, ...body }: Event): object {
  return body;
}

function shapeOf(value: unknown, key = '', parent = ''): string {
  if (Array.isArray(value)) return `[${[...new Set(value.map((item) => shapeOf(item, key, parent)))].join(', ')}]`;
  if (value === null) return 'null';
  if (typeof value !== 'object') return words.has(key) || words.has(`${parent}.${key}`) ? wordOf(value) : typeof value;
  if (openEnded.has(key)) return 'object';
  return `{${Object.entries(value)
    .map(([name, member]) => `${name}: ${shapeOf(member, name, key)}`)
    .join(', ')}}`;
}

function wordOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Objects that belong to one tool: the tools' own golden files have their shapes. */
const openEnded: ReadonlySet<string> = new Set(['arguments', 'structured', '_meta']);
