import type { Check } from '@capstan/contracts';

const TSX = /(^|\/)tsx\/dist\/cli\.mjs$/;
const WITH_VALUE = /^(--import|--require|-r|--loader|--experimental-loader|--conditions|-C)$/;
/** Flags that say which tests of a file run and how: they hold for a file that is run by itself too. */
const OF_TESTS = /^--test-(only|name-pattern|skip-pattern|timeout|force-exit)(=|$)/;
const OF_TESTS_WITH_VALUE = /^--test-(name-pattern|skip-pattern|timeout)$/;

/** The check's own `node --test`, without reporters. What tsx would start is started directly, with tsx as a loader. */
export function suiteCommandOf(check: Check): string[] {
  const argv = commandOf(check);
  const isValue = (index: number): boolean => /^--test-reporter(-destination)?$/.test(argv[index - 1] ?? '');
  return argv.filter((word, index) => !word.startsWith('--test-reporter') && !isValue(index));
}

function commandOf(check: Check): readonly string[] {
  const [node = 'node', first = '', ...rest] = check.directArgv ?? ['node', '--test'];
  return TSX.test(first) ? [node, '--import', 'tsx', ...rest] : [node, ...(first === '' ? [] : [first]), ...rest];
}

/** Flags of the check's own command that hold for one file too: loaders, conditions, which tests run. */
export function nodeFlagsOf(check: Check): string[] {
  const words = commandOf(check).slice(1);
  const flags: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (WITH_VALUE.test(word) || OF_TESTS_WITH_VALUE.test(word)) {
      flags.push(word, words[at + 1] ?? '');
      at += 1;
    } else if (OF_TESTS.test(word)) flags.push(word);
    else if (word.startsWith('--test') || word === '--experimental-test-coverage') continue;
    else if (word.startsWith('--')) flags.push(word);
    else break;
  }
  return flags;
}
