import { canonicalJson } from '@capstan/contracts';
import type { RecordedCall } from './baseline.ts';

const MAX_ROUNDS = 400;

/**
 * Further inputs for exported functions, made from those that the tests used by small changes: neighbours of numbers,
 * shorter, longer and reordered lists and texts, arguments of one call in another. Always the same for the same calls.
 */
export function generateInputs(calls: readonly RecordedCall[], count = 60): RecordedCall[] {
  const known = new Map(calls.map((call) => [canonicalJson(call), call]));
  const found = new Map<string, RecordedCall>();
  const random = randomFrom(calls.length + 1);
  const seeds = [...known.values()];
  for (let round = 0; round < MAX_ROUNDS && found.size < count && seeds.length > 0; round += 1) {
    const seed = seeds[round % seeds.length];
    if (seed === undefined || seed.args.length === 0) continue;
    const args = [...structuredClone(seed.args)];
    const at = random(args.length);
    const other = seeds.filter((one) => one.name === seed.name && one.path === seed.path)[random(seeds.length)];
    args[at] = other !== undefined && random(5) === 0 ? structuredClone(other.args[at]) : change(args[at], random);
    const call = { ...seed, args };
    const key = keyOf(call);
    if (key !== undefined && !known.has(key)) found.set(key, call);
  }
  return [...found.values()];
}

function keyOf(call: RecordedCall): string | undefined {
  return call.args.includes(undefined) ? undefined : canonicalJson(call);
}

type Random = (below: number) => number;

/** A linear congruential generator: repeatable, and good enough to pick. */
function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * Math.max(1, below));
  };
}

function change(value: unknown, random: Random): unknown {
  if (typeof value === 'number') return changeNumber(value, random);
  if (typeof value === 'string')
    return changeList([...value], random, () => value[random(value.length)] ?? 'a').join('');
  if (typeof value === 'boolean') return !value;
  if (Array.isArray(value)) return changeArray(value, random);
  if (typeof value !== 'object' || value === null) return value;
  const keys = Object.keys(value);
  const key = keys[random(keys.length)];
  if (key === undefined) return value;
  const members = { ...(value as Record<string, unknown>) };
  if (random(3) === 0) delete members[key];
  else members[key] = change(members[key], random);
  return members;
}

function changeNumber(value: number, random: Random): number {
  const forms = [value + 1, value - 1, 0, 1, 2, value * 2, Math.trunc(value / 2), value + 3];
  return forms[random(forms.length)] ?? value;
}

function changeArray(list: unknown[], random: Random): unknown[] {
  if (list.length > 0 && random(3) === 0) {
    const at = random(list.length);
    return list.map((item, index) => (index === at ? change(item, random) : item));
  }
  return changeList(list, random, () => structuredClone(list[random(list.length)]));
}

function changeList<Item>(list: readonly Item[], random: Random, pick: () => Item): Item[] {
  const at = random(list.length + 1);
  switch (random(6)) {
    case 0:
      return list.filter((_, index) => index !== at);
    case 1:
      return list.length === 0 ? [] : [...list.slice(0, at), pick(), ...list.slice(at)];
    case 2:
      return list.toReversed();
    case 3:
      return list.slice(0, Math.ceil(list.length / 2));
    case 4:
      return list.slice(0, random(3));
    default:
      return [...list.slice(at), ...list.slice(0, at)];
  }
}
