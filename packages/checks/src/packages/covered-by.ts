import { posix } from 'node:path';
import type { Check } from '@capstan/contracts';

type Ecosystem = 'script' | 'python' | 'rust' | 'go' | 'make';

/** Which of a repository's languages a check is about. */
export function ecosystemOf({ framework }: Check): Ecosystem {
  if (framework === 'pytest') return 'python';
  if (framework === 'cargo') return 'rust';
  return framework === 'go' || framework === 'make' ? framework : 'script';
}

/**
 * The check of the root that runs the tests of a package as well, if one does. A root command that names no paths runs
 * all there is, or is the repository's own way to; one that names paths runs those. Go never looks into other modules,
 * cargo into other crates only of a workspace.
 */
export function coveredBy(
  check: Check,
  root: readonly Check[],
  facts: { readonly cargoWorkspace: boolean },
): string | undefined {
  const same = root.filter((one) => one.kind === 'test' && ecosystemOf(one) === ecosystemOf(check));
  return same.find((one) => covers(one, check.directory, facts))?.id;
}

function covers(root: Check, folder: string, { cargoWorkspace }: { readonly cargoWorkspace: boolean }): boolean {
  switch (ecosystemOf(root)) {
    case 'go':
    case 'make':
      return false;
    case 'rust':
      return cargoWorkspace;
    case 'python':
      return true;
    case 'script': {
      const paths = pathsOf(root);
      return paths.length === 0 || paths.some((path) => isWithin(folder, path) || isWithin(path, folder));
    }
  }
}

/** The folders that the arguments of a runner name, up to their first wildcard. */
function pathsOf({ directArgv = [] }: Check): string[] {
  const start = directArgv.findIndex((word) => word.startsWith('--test') || /node_modules\//.test(word)) + 1;
  const words = directArgv.slice(start).filter((word, index, all) => {
    const isValue = /^--(import|require|loader|conditions|config|project|reporter|test-reporter\S*)$/.test(
      all[index - 1] ?? '',
    );
    return !word.startsWith('-') && !isValue && (word.includes('/') || /\.[cm]?[jt]sx?$/.test(word));
  });
  return words.map((word) => {
    const fixed = word.split(/[*?{[]/)[0] ?? '';
    const folder = fixed === word ? fixed : fixed.slice(0, fixed.lastIndexOf('/') + 1);
    return posix.normalize(folder === '' ? '.' : folder).replace(/\/$/, '');
  });
}

function isWithin(path: string, folder: string): boolean {
  return folder === '.' || path === folder || path.startsWith(`${folder}/`);
}
