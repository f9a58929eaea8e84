import type { Framework } from '@capstan/contracts';

/** A test runner found in one command of a script, in a form that needs no shell. */
export interface Runner {
  readonly framework: Framework;
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

const ASSIGNMENT = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/s;
const LAUNCHERS = new Set(['npx', 'bunx', 'cross-env', 'cross-env-shell', 'env']);
const COVERAGE = new Set(['c8', 'nyc']);

const ENTRY_POINTS = {
  vitest: 'node_modules/vitest/vitest.mjs',
  jest: 'node_modules/jest/bin/jest.js',
  mocha: 'node_modules/mocha/bin/mocha.js',
} as const;
type Known = keyof typeof ENTRY_POINTS;

/** The runner of a JavaScript framework that is called without a script. */
export function directRunner(framework: Known): readonly string[] {
  return ['node', ENTRY_POINTS[framework], ...(framework === 'vitest' ? ['run'] : [])];
}

/** Finds the test runner in a command, behind launchers, assignments and coverage tools; `undefined` if there is none. */
export function recogniseRunner(words: readonly string[]): Runner | undefined {
  const environment: Record<string, string> = {};
  let rest = stripPrefixes(words, environment);
  if (COVERAGE.has(rest[0] ?? '')) {
    const start = rest.findIndex((word, index) => index > 0 && (isRunnerWord(word) || LAUNCHERS.has(word)));
    if (start < 0) return undefined;
    rest = stripPrefixes(rest.slice(start), environment);
  }
  const found = fromWords(rest);
  return found === undefined ? undefined : { ...found, environment };
}

function stripPrefixes(words: readonly string[], environment: Record<string, string>): string[] {
  let rest = [...words];
  for (;;) {
    const first = rest[0] ?? '';
    const assignment = ASSIGNMENT.exec(first);
    if (assignment) environment[assignment[1] ?? ''] = assignment[2] ?? '';
    else if (LAUNCHERS.has(first)) {
      rest = rest.slice(1);
      while (rest[0]?.startsWith('-') === true) rest = rest.slice(1);
      continue;
    } else if ((first === 'pnpm' || first === 'yarn') && (rest[1] === 'exec' || rest[1] === 'dlx')) {
      rest = rest.slice(2);
      continue;
    } else if (first === 'yarn' && knownTool(rest[1] ?? '') !== undefined) {
      rest = rest.slice(1);
      continue;
    } else return rest;
    rest = rest.slice(1);
  }
}

function isRunnerWord(word: string): boolean {
  return word === 'node' || word === 'tsx' || isBorp(word) || knownTool(word) !== undefined;
}

/** `jest`, `node_modules/.bin/jest` and `./node_modules/jest/bin/jest.js` are the same tool. */
function knownTool(word: string): Known | undefined {
  const name = (word.split('/').at(-1) ?? '').replace(/\.(js|mjs|cjs)$/, '').replace(/^_mocha$/, 'mocha');
  if (word.includes('/') && !word.includes('node_modules/')) return undefined;
  return name === 'vitest' || name === 'jest' || name === 'mocha' ? name : undefined;
}

function fromWords(words: readonly string[]): Omit<Runner, 'environment'> | undefined {
  const [first, ...rest] = words;
  if (first === undefined) return undefined;
  if (first === 'node') return fromNode(rest);
  if (first === 'tsx' && rest.includes('--test')) {
    return { framework: 'node-test', argv: ['node', 'node_modules/tsx/dist/cli.mjs', ...rest] };
  }
  if (isBorp(first)) return fromBorp(rest);
  const tool = knownTool(first);
  return tool === undefined ? undefined : fromTool(tool, [], rest);
}

function isBorp(word: string): boolean {
  return word === 'borp' || word.endsWith('node_modules/.bin/borp');
}

const BORP_FILES = '**/*.test.{js,mjs,cjs,ts,mts,cts}';
const BORP_WITH_VALUE = /^(-[rXic]|--(reporter|coverage-exclude|ignore|lines|branches|functions|statements))$/;

/** borp runs the files of its patterns under node:test: with the same files `node --test` runs the same tests. */
function fromBorp(rest: readonly string[]): Omit<Runner, 'environment'> {
  const flags: string[] = [];
  const files: string[] = [];
  for (let at = 0; at < rest.length; at += 1) {
    const word = rest[at] ?? '';
    const [name = '', value] = word.startsWith('--') ? word.split('=', 2) : [word];
    const next = (): string => {
      if (value !== undefined) return value;
      at += 1;
      return rest[at] ?? '';
    };
    if (/^(-p|--pattern)$/.test(name)) files.push(next());
    else if (/^(-t|--timeout)$/.test(name)) flags.push(`--test-timeout=${next()}`);
    else if (name === '--concurrency') flags.push(`--test-concurrency=${next()}`);
    else if (/^(-o|--only)$/.test(name)) flags.push('--test-only');
    else if (name === '--expose-gc') flags.push('--expose-gc');
    else if (BORP_WITH_VALUE.test(name)) next();
    else if (!word.startsWith('-')) files.push(word);
  }
  const argv = ['node', '--test', ...flags, ...(files.length > 0 ? files : [BORP_FILES])];
  return { framework: 'node-test', argv };
}

function fromNode(rest: readonly string[]): Omit<Runner, 'environment'> | undefined {
  if (rest.some((word) => word === '--test')) {
    return { framework: 'node-test', argv: ['node', ...rest.filter((word) => word !== '--watch')] };
  }
  const at = rest.findIndex((word) => !word.startsWith('-') && knownTool(word) !== undefined);
  const tool = knownTool(rest[at] ?? '');
  return tool === undefined ? undefined : fromTool(tool, rest.slice(0, at), rest.slice(at + 1));
}

function fromTool(tool: Known, nodeFlags: readonly string[], rest: readonly string[]): Omit<Runner, 'environment'> {
  const own = rest.filter((word) => !/^(--watch|--watchAll|-w)(=|$)/.test(word));
  const flags = tool === 'vitest' && /^(run|watch|dev)$/.test(own[0] ?? '') ? own.slice(1) : own;
  const [node = 'node', entry = '', ...sub] = directRunner(tool);
  return { framework: tool, argv: [node, ...nodeFlags, entry, ...sub, ...flags] };
}
