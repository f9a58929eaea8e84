import { type ConfigKey, configKeys } from '../packages/config/src/config-keys.ts';

/** Where the reference page lies. */
export const referencePath = 'docs/reference/configuration.md';

const head = `# Configuration

<!-- Made by \`node scripts/write-config-reference.ts\` from packages/config/src/config.ts: change it there. -->

Nothing has to be configured. \`capstan init\` writes a file to start from, \`capstan config\` prints what counts and where each
value comes from.

## Where values come from

Each source stands over the one before:

1. the defaults,
2. your own file: \`$XDG_CONFIG_HOME/capstan/config.yaml\`, which is \`~/.config/capstan/config.yaml\` where nothing else is
   set; \`CAPSTAN_CONFIG\` names another one,
3. the project's file: \`.capstan/config.yaml\` in the top folder of the checkout. It comes with the checkout, so it **can only
   tighten**: what would be looser than the sources before it has no effect, and some keys it cannot have at all,
4. environment variables,
5. flags: \`--model\`, \`--no-model\`, \`--strict\`, \`--timeout\`. What you type yourself has the last word.

Both files are YAML of keys and values, UTF-8, at most 64 KiB; anchors, aliases and tags are not taken. A file with a mistake is
not taken in part: the run ends before it begins (exit code 2), with file, line and column. Lists in variables have commas
between their entries. Keys of models are never in a file: they stay in the environment.

## Keys
`;

/** The reference page, from the schema. */
export function configReference(): string {
  return [head, ...configKeys.map(keyText)].join('\n');
}

function keyText(key: ConfigKey): string {
  const rows = [
    ['default', code(key.fallback) ?? 'not set'],
    ['variable', key.variables.map((name) => `\`${name}\``).join(', else ')],
    ['in a project', projectText(key)],
  ];
  return [
    `### \`${key.path}\``,
    '',
    `${key.description}.`,
    '',
    ...rows.map(([name, text]) => `- ${name}: ${text}`),
    '',
  ].join('\n');
}

function projectText({ tightening }: ConfigKey): string {
  switch (tightening.kind) {
    case 'order':
      return `the tighter one counts: ${tightening.values.map((value) => `\`${value}\``).join(', then ')}`;
    case 'smaller':
      return 'the smaller number counts';
    case 'union':
      return 'its entries are added';
    case 'intersection':
      return 'only entries that both have stay';
    case 'user-only':
      return `refused, because ${tightening.why}`;
  }
}

function code(value: unknown): string | undefined {
  return value === undefined ? undefined : `\`${JSON.stringify(value)}\``;
}
