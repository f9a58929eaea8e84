import type { Command } from '@capstan/contracts';
import type { RepositoryReader } from '../repository-reader.ts';

const files = ['GNUmakefile', 'makefile', 'Makefile'];
const rule = /^([A-Za-z0-9][A-Za-z0-9_-]*(?:[ \t]+[A-Za-z0-9][A-Za-z0-9_-]*)*)[ \t]*::?(?!=)/gm;
const phony = /^\.PHONY[ \t]*:((?:[^\\\n]|\\[\s\S])*)/gm;
const mostTargets = 50;

/** The targets of a Makefile: those that it declares phony, or else those whose names look like no file. */
export async function makeCommands(reader: RepositoryReader): Promise<Command[]> {
  const names = await reader.list('.');
  const file = files.find((name) => names.includes(name));
  const text = file === undefined ? undefined : await reader.readText(file);
  if (file === undefined || text === undefined) return [];
  const declared = new Set([...text.matchAll(phony)].flatMap(([, list = '']) => list.split(/[\s\\]+/)));
  const ruled = [...text.matchAll(rule)].flatMap(([, targets = '']) => targets.split(/[ \t]+/));
  const targets = [...new Set(ruled)].filter((target) => declared.size === 0 || declared.has(target));
  return targets.slice(0, mostTargets).map((target) => ({
    id: `make:${target}`,
    kind: 'other',
    isCheck: false,
    argv: ['make', target],
    parameters: [],
    directory: '.',
    source: `${file} target ${target}`,
  }));
}
