import { isCollection, isMap, isScalar, isSeq, type YAMLMap } from 'yaml';
import { type ConfigKey, configKeys, sections } from './config-keys.ts';
import { judgeValue } from './judge-value.ts';
import type { KeyPath } from './key-path.ts';
import type { Layer, Setting } from './layer.ts';
import { nearestWord } from './nearest-word.ts';
import { type ParsedText, parseYaml } from './parse-yaml.ts';
import { badConfig, type Problem } from './problem.ts';

export interface ConfigText {
  readonly text: string;
  /** How the file is called in errors and origins. */
  readonly file: string;
  readonly kind: 'user' | 'project';
}

type Pair = YAMLMap.Parsed['items'][number];

const keysHint = 'All keys stand in docs/reference/configuration.md, and in the file that capstan init writes.';

/** Reads a file's text. Throws `bad-config` with every problem at its line and column; nothing is taken of such a file. */
export function parseConfig(source: ConfigText): Layer {
  const parsed = parseYaml(source.text, source.file);
  const settings = new Map<KeyPath, Setting>();
  const problems = parsed.top === undefined ? [] : readSection(parsed.top, '', { source, parsed, settings });
  if (problems.length > 0) throw badConfig(problems);
  return settings;
}

interface Reading {
  readonly source: ConfigText;
  readonly parsed: ParsedText;
  readonly settings: Map<KeyPath, Setting>;
}

/** Reads the keys of the file, or of one section, into the settings; gives what is wrong with them. */
function readSection(map: YAMLMap.Parsed, prefix: string, reading: Reading): Problem[] {
  const seen = new Set<string>();
  return map.items.flatMap((pair) => {
    const name = keyName(pair);
    if (name === undefined) return [problemAt(pair.key.range[0], 'a key has to be a word', reading)];
    if (seen.has(name)) return [problemAt(pair.key.range[0], `"${prefix}${name}" stands here twice`, reading)];
    seen.add(name);
    return readPair(pair, `${prefix}${name}`, reading);
  });
}

function keyName({ key }: Pair): string | undefined {
  return isScalar(key) && typeof key.value === 'string' ? key.value : undefined;
}

function readPair(pair: Pair, path: string, reading: Reading): Problem[] {
  if (sections.includes(path)) return readSectionPair(pair, path, reading);
  const key = configKeys.find((one) => one.path === path);
  if (key === undefined) return [problemAt(pair.key.range[0], unknownKey(path), reading)];
  if (reading.source.kind === 'project' && key.tightening.kind === 'user-only') return [userOnly(pair, key, reading)];
  const judged = judgeValue(key, plainValue(pair.value));
  const { parsed, source } = reading;
  if (judged.kind === 'wrong') return [problemAt(itemOffset(pair, judged.item), judged.message, reading)];
  const { line, column } = parsed.place(pair.key.range[0]);
  const origin = { kind: source.kind, file: source.file, line, column };
  reading.settings.set(key.path, { value: judged.value, origin });
  return [];
}

/** A section with nothing in it, because all of its keys are comments, is as good as none. */
function readSectionPair({ key, value }: Pair, path: string, reading: Reading): Problem[] {
  if (value === null || (isScalar(value) && value.value === null)) return [];
  if (isMap(value)) return readSection(value, `${path}.`, reading);
  const names = configKeys.filter((one) => one.path.startsWith(`${path}.`)).map((one) => one.path.split('.')[1]);
  const message = `"${path}" holds keys of its own: ${names.join(', ')}`;
  return [problemAt(value.range?.[0] ?? key.range[0], message, reading)];
}

function unknownKey(path: string): string {
  const section = path.includes('.') ? path.slice(0, path.indexOf('.') + 1) : '';
  const meant = nearestWord(path, [...configKeys.map((key) => key.path), ...sections]) ?? keyElsewhere(path, section);
  return `there is no key "${path}"${meant === undefined ? '' : `; did you mean "${meant}"?`}`;
}

/** `minutes` at the top was meant to be `budget.minutes`. */
function keyElsewhere(path: string, section: string): string | undefined {
  const name = path.slice(section.length);
  const names = configKeys.map((key) => key.path.split('.').at(-1) ?? '');
  const meant = nearestWord(name, names);
  return configKeys.find((key) => key.path.split('.').at(-1) === meant)?.path;
}

function userOnly({ key: { range } }: Pair, key: ConfigKey, reading: Reading): Problem {
  const why = key.tightening.kind === 'user-only' ? key.tightening.why : '';
  const hint = 'Set it in your own file (capstan config says where that is), or on the command line.';
  return { ...problemAt(range[0], `"${key.path}" cannot be set by a project: ${why}`, reading), hint };
}

function problemAt(offset: number, message: string, { parsed }: Reading): Problem {
  return { place: parsed.place(offset).text, message, hint: keysHint };
}

function itemOffset({ key, value }: Pair, item: number | undefined): number {
  const place = isSeq(value) && item !== undefined ? value.items[item] : value;
  return (isScalar(place) || isCollection(place)) && place.range ? place.range[0] : key.range[0];
}

/** Scalars, and lists of them; what is nested deeper is no value of any key. */
function plainValue(node: Pair['value']): unknown {
  if (node === null) return null;
  if (isScalar(node)) return node.value;
  return isSeq(node) ? node.items.map((item) => (isScalar(item) ? item.value : {})) : {};
}
