import { compileGlob } from '@capstan/workspace';

/** Whether a path lies in a folder ("." is all) and fits a glob, where one is given. */
export function inFolder(folder: string, glob?: string): (path: string) => boolean {
  const fits = glob === undefined ? () => true : compileGlob(glob);
  if (folder === '.') return fits;
  return (path) => path.startsWith(`${folder}/`) && fits(path);
}
