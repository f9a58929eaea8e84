import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { committedFiles } from './checks/committed-files.ts';

const mostLines = 400;
const mostLinesOf: Readonly<Record<string, number>> = {
  'ARCHITECTURE.md': 300,
  // A table, one entry for each requirement.
  'tests/requirements.ts': 600,
};
const code = /\.(ts|tsx|mts|js|mjs|cjs|css|html|sh|md|yaml|yml)$|^bin\//;
const recorded = /(^|\/)(fixtures|golden)\//;

/** Folders that many machines have: naming them says nothing about one. */
const common = ['/', '/home', '/mnt', '/opt', '/root', '/srv', '/tmp', '/usr', '/usr/src', '/var', tmpdir()];

/** What must not be in the repository: the place of this checkout or of its neighbours, hosts of a registry in the lock file, overlong files. */
export function checkRepository(root: string, files: readonly string[] = committedFiles(root)): string[] {
  const places = [root, dirname(root)].filter((place) => !common.includes(place));
  return files.flatMap((path) => {
    const text = readText(join(root, path));
    if (text === undefined) return [];
    if (path === 'package-lock.json') return lockProblems(text);
    return [...pathProblems(path, text, places), ...lengthProblems(path, text)];
  });
}

function pathProblems(path: string, text: string, places: readonly string[]): string[] {
  return text.split('\n').flatMap((line, index) => {
    const found = places.find((place) => line.includes(`${place}/`));
    return found === undefined ? [] : [`${path}:${index + 1}: a path of this machine: ${found}`];
  });
}

function lengthProblems(path: string, text: string): string[] {
  const lines = text.split('\n').length - 1;
  const most = mostLinesOf[path] ?? mostLines;
  if (!code.test(path) || recorded.test(path) || lines <= most) return [];
  return [`${path}: ${lines} lines, ${most} at most: split it`];
}

function lockProblems(text: string): string[] {
  return text.split('\n').flatMap((line, index) => {
    const host = /"resolved": "(?:git\+)?\w+:\/\/([^/"]+)/.exec(line)?.[1];
    return host === undefined
      ? []
      : [`package-lock.json:${index + 1}: names the host ${host}: npm config omit-lockfile-registry-resolved`];
  });
}

/** Undefined for binary files and for files that are deleted but not yet committed. */
function readText(path: string): string | undefined {
  try {
    const text = readFileSync(path, 'utf8');
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}
