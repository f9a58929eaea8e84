import { destinationsOf } from './flow/destinations.ts';
import { isPathKey } from './policy/path-rules.ts';
import { textArguments } from './policy/text-arguments.ts';

export interface SummaryRequest {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** What the tool says that it would do. */
  readonly preview: string | undefined;
  readonly redact: (text: string) => string;
}

/** Up to here nothing is left out. Characters. */
const wholeSummary = 20_000;
/** What a person can still be expected to look through. Characters. */
const longestSummary = 100_000;
const previewRoom = 6_000;
const rooms = [8_000, 4_000, 2_000, 1_000, 400, 200];
const commandWord = /^(argv|args|arguments|commands?|cmd|exec|scripts?|shell|code|命令)$/iu;

/**
 * What a person is asked to allow: the places that the call touches with the amount of text for each, then the
 * arguments, then the dry run. Long texts show their beginning and end and say how much is between; places and commands
 * are always whole. Undefined when even that is more than a person could look through.
 */
export function summariseCall(request: SummaryRequest): string | undefined {
  const { tool, redact } = request;
  const input = redactAll(request.input, redact);
  const preview = request.preview === undefined ? undefined : redact(request.preview);
  const opening = [tool, ...placesOf(input)].join('\n');
  const whole = compose(opening, input, preview, Number.POSITIVE_INFINITY);
  if (whole.length <= wholeSummary) return redact(whole);
  const shorter = rooms.map((room) => compose(opening, input, preview, room));
  const best = shorter.find((text) => text.length <= wholeSummary) ?? shorter.at(-1) ?? whole;
  return best.length <= longestSummary ? redact(best) : undefined;
}

function compose(opening: string, input: unknown, preview: string | undefined, room: number): string {
  const cut = { hidden: 0 };
  const shown = showValue(input, '', room, cut);
  const end = preview === undefined ? '' : `\n${headAndEnd(preview, Math.max(room, previewRoom), cut)}`;
  const note = cut.hidden === 0 ? '' : `${cut.hidden} characters are not shown; where, is marked below.\n`;
  return `${opening}\n${note}${shown}${end}`;
}

/** Secrets go before anything is cut, for half of one would not be recognised. */
function redactAll(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((item) => redactAll(item, redact));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, redactAll(member, redact)]));
}

/** One line for each path, then one for each destination. Quoted, so that a line break in a name adds no line. */
function placesOf(input: unknown): string[] {
  const paths = pathsIn(input);
  const destinations = destinationsOf(input as Record<string, unknown>).filter(
    (destination) => !paths.some(({ path }) => path === destination),
  );
  const amount = textArguments(input).reduce((sum, { value }) => sum + value.length, 0);
  return [
    ...paths.map(({ path, size }) => `- ${JSON.stringify(path)}${size > 0 ? `: ${size} characters` : ''}`),
    ...destinations.map((destination) => `- to ${JSON.stringify(destination)}: ${amount} characters in all`),
  ];
}

/** Each path with the amount of other text in the object that names it. */
function pathsIn(value: unknown): { path: string; size: number }[] {
  if (value === null || typeof value !== 'object') return [];
  if (Array.isArray(value)) return value.flatMap(pathsIn);
  const members = Object.entries(value);
  const named = members.filter(([key]) => isPathKey(key)).flatMap(([, member]) => stringsOf(member));
  const others = members.filter(([key]) => !isPathKey(key));
  const size = others.flatMap(([, member]) => textArguments(member)).reduce((sum, text) => sum + text.value.length, 0);
  return [...named.map((path) => ({ path, size })), ...members.flatMap(([, member]) => pathsIn(member))];
}

function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** JSON in the order of names, with texts cut to `room`. */
function showValue(value: unknown, key: string, room: number, cut: { hidden: number }): string {
  if (typeof value === 'string') {
    const isWhole = isPathKey(key) || commandWord.test(key);
    return JSON.stringify(isWhole ? value : headAndEnd(value, room, cut));
  }
  if (Array.isArray(value)) return `[${value.map((item) => showValue(item, key, room, cut)).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).sort(([first], [second]) => (first < second ? -1 : 1));
  const shown = members.map(([name, member]) => `${JSON.stringify(name)}:${showValue(member, name, room, cut)}`);
  return `{${shown.join(',')}}`;
}

/** The two halves of `room` from either end of a longer text, with the exact number of characters between them. */
function headAndEnd(text: string, room: number, cut: { hidden: number }): string {
  if (text.length <= room) return text;
  const half = Math.floor(room / 2);
  const hidden = text.length - 2 * half;
  cut.hidden += hidden;
  const [head, end] = [text.slice(0, half), text.slice(text.length - half)];
  return `${head.toWellFormed()} [... ${hidden} characters not shown ...] ${end.toWellFormed()}`;
}
