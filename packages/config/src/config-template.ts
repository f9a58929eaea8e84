import { type ConfigKey, configKeys } from './config-keys.ts';
import type { KeyPath } from './key-path.ts';
import type { Value } from './tighten.ts';

type Chosen = Partial<Record<KeyPath, Value>>;

const examples: Partial<Record<KeyPath, string>> = {
  'model.name': 'qwen3-coder',
  'model.url': 'http://127.0.0.1:11434/v1',
  'checks.only': '["npm:test"]',
  'checks.deny': '["npm:build"]',
  'commands.templates': '["seed = node seed.js --rows={rows:1..100} {file?:path}"]',
  'commands.only': '["npm:build"]',
  'commands.deny': '["npm:deploy"]',
  protect: '["db/migrations/**", "*.lock"]',
};

/** Values of a project's file that are tighter than the defaults. */
const tighterExamples: Partial<Record<KeyPath, string>> = {
  ...examples,
  approvals: 'strict',
  'budget.minutes': '10',
  'budget.steps': '30',
  'budget.modelRequests': '20',
  'budget.tokens': '100000',
  'budget.failures': '1',
  'checks.minutes': '5',
  'sandbox.require': 'bubblewrap',
};

/** A user's file: every key as a comment with its default, but for the chosen ones, which are set. */
export function userTemplate(chosen: Chosen = {}): string {
  const head = [
    'Configuration of Capstan, for all of your repositories. What is a comment has its default.',
    '"capstan config" prints what counts and where it comes from. A .capstan/config.yaml in a checkout can only tighten.',
  ];
  return template(head, configKeys, (key) => valueText(chosen[key.path]), examples);
}

/** A project's file: every key that a project may tighten, as a comment with an example. */
export function projectTemplate(): string {
  const head = [
    'What Capstan may do in this repository. It can only tighten what each person has configured: a looser value has no',
    'effect. Take the "# " away in front of what you want.',
  ];
  const keys = configKeys.filter((key) => key.tightening.kind !== 'user-only');
  return template(head, keys, () => undefined, tighterExamples);
}

function template(
  head: readonly string[],
  keys: readonly ConfigKey[],
  chosen: (key: ConfigKey) => string | undefined,
  shown: Partial<Record<KeyPath, string>>,
): string {
  const lines = head.map((line) => `# ${line}`);
  let section: string | undefined;
  for (const key of keys) {
    const [first = '', name] = key.path.split('.');
    if (name === undefined || first !== section) lines.push('');
    if (name !== undefined && first !== section) lines.push(`${first}:`);
    section = first;
    lines.push(...keyLines(key, name ?? first, name === undefined ? '' : '  ', chosen(key), shown[key.path]));
  }
  return `${lines.join('\n')}\n`;
}

function keyLines(key: ConfigKey, name: string, indent: string, chosen: string | undefined, example?: string) {
  const value = chosen ?? example ?? valueText(key.fallback) ?? '';
  const mark = chosen === undefined ? '# ' : '';
  return [`${indent}# ${key.description}.`, `${indent}${mark}${name}: ${value}`];
}

/** JSON is YAML, and text that needs no quotes goes without. */
function valueText(value: Value): string | undefined {
  if (value === undefined) return undefined;
  return typeof value === 'string' && /^[A-Za-z][\w-]*$/.test(value) && !isWord(value) ? value : JSON.stringify(value);
}

/** Words that YAML takes for something else. */
function isWord(text: string): boolean {
  return /^(true|false|null|yes|no|on|off|y|n)$/i.test(text);
}
