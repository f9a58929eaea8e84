import { realpathSync } from 'node:fs';
import { basename, delimiter, isAbsolute, join, relative } from 'node:path';
import { shellWord } from './shell-word.ts';

export interface Call {
  /** What was started: the path of a program, or words such as `npm start --`; undefined when nobody said. */
  readonly calledAs: string | undefined;
  readonly path: string;
  readonly currentFolder: string;
}

/**
 * What a person who stands where they stand types to start this program again: its bare name when the shell finds it on
 * the PATH, else the way to it.
 */
export function programName({ calledAs, path, currentFolder }: Call): string {
  if (calledAs === undefined) return 'capstan';
  if (!isAbsolute(calledAs)) return calledAs;
  const name = basename(calledAs);
  const onPath = path.split(delimiter).map((folder) => realPath(join(folder, name)));
  // The shell takes the first of that name.
  if (onPath.find((found) => found !== undefined) === (realPath(calledAs) ?? calledAs)) return name;
  const way = relative(currentFolder, calledAs);
  if (way.startsWith('..') || isAbsolute(way)) return shellWord(calledAs);
  return shellWord(way.includes('/') ? way : `./${way}`);
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined; // Nothing there, or nothing that we may see.
  }
}
