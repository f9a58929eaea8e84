import type { Call, Library } from './library.ts';
import type { SeededRandom } from './seeded-random.ts';

/** Calls for the suite of a mutant, and others by which a repair is judged; no call is in both. */
export interface Calls {
  readonly shown: readonly Call[];
  readonly heldOut: readonly Call[];
}

const HELD_OUT = 200;
const ROUNDS = 2000;

/** Makes calls from those that the library's table has, by small changes; the same for the same random numbers. */
export function makeCalls({ calls }: Library, random: SeededRandom): Calls {
  const all = new Map(calls.map((call) => [JSON.stringify(call), call]));
  const made = new Map<string, Call>();
  for (let round = 0; round < ROUNDS && made.size < HELD_OUT + calls.length; round += 1) {
    const seed = random.pick(calls);
    const args = seed.args.map((argument) => (random.below(3) === 0 ? argument : change(argument, random)));
    const call = { of: seed.of, args };
    const key = JSON.stringify(call);
    if (!all.has(key)) made.set(key, call);
  }
  const fresh = [...made.values()];
  // Half of the suite are calls that somebody wrote, half are made ones.
  return { shown: [...calls, ...fresh.slice(0, calls.length)], heldOut: fresh.slice(calls.length) };
}

function change(value: unknown, random: SeededRandom): unknown {
  if (typeof value === 'number')
    return random.pick([value + 1, value - 1, -value, value * 10, Math.round(value / 2), value + 0.5]);
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'string') return changeText(value, random);
  if (Array.isArray(value)) return changeList(value, random);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const at = random.below(entries.length);
  if (random.below(4) === 0) return Object.fromEntries(entries.filter((_, index) => index !== at));
  return Object.fromEntries(entries.map(([key, inner], index) => [key, index === at ? change(inner, random) : inner]));
}

function changeText(text: string, random: SeededRandom): string {
  const at = random.below(text.length + 1);
  const piece = text.charAt(random.below(Math.max(1, text.length)));
  return random.pick([
    text.slice(0, at) + piece + text.slice(at),
    text.slice(0, at) + text.slice(at + 1),
    text.slice(0, at) + String(random.below(10)) + text.slice(at),
    text.slice(at) + text.slice(0, at),
    text.toUpperCase(),
    text + text,
  ]);
}

function changeList(list: readonly unknown[], random: SeededRandom): unknown[] {
  const at = random.below(Math.max(1, list.length));
  if (list.length === 0) return [...list];
  return random.below(3) === 0
    ? list.filter((_, index) => index !== at)
    : list.map((item, index) => (index === at ? change(item, random) : item));
}
