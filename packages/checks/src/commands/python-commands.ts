import type { Command } from '@capstan/contracts';
import type { RepositoryReader } from '../repository-reader.ts';
import { freeWords } from './free-words.ts';

/** Tables of tasks in a pyproject.toml, and the program that runs them. */
const taskTables: readonly (readonly [table: string, argv: readonly string[]])[] = [
  ['tool.poe.tasks', ['poe']],
  ['tool.pdm.scripts', ['pdm', 'run']],
  ['tool.taskipy.tasks', ['task']],
  ['tool.hatch.envs.default.scripts', ['hatch', 'run']],
];
const mostTasks = 50;
const manifests = ['pyproject.toml', 'setup.py', 'setup.cfg'];

/** The tasks and programs that a pyproject.toml names, and a file of the workspace run by python. */
export async function pythonCommands(reader: RepositoryReader): Promise<Command[]> {
  const names = await reader.list('.');
  const source = manifests.find((name) => names.includes(name));
  if (source === undefined) return [];
  const text = (await reader.readText('pyproject.toml')) ?? '';
  const tasks = taskTables.flatMap(([table, argv]) =>
    keysOf(text, table).map(([name]) => command(`${argv[0]}:${name}`, [...argv, name], `pyproject.toml ${table}`)),
  );
  const programs = keysOf(text, 'project.scripts').flatMap(([name, value]) => programCommand(name, value));
  return [...tasks, ...programs, pythonFile(source)];
}

function command(id: string, argv: readonly string[], source: string): Command {
  return { id, kind: 'other', isCheck: false, ...freeWords(argv), directory: '.', source };
}

const entryPoint = /^["']([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*):([A-Za-z_]\w*)["']$/;

/** An entry point is called as its installed program would call it, so that nothing has to be installed. */
function programCommand(name: string, value: string): Command[] {
  const [, module, attribute] = entryPoint.exec(value) ?? [];
  if (module === undefined || attribute === undefined) return [];
  const call = `import sys; sys.path[:0] = ["src", "."]; from ${module} import ${attribute} as main; sys.exit(main())`;
  return [command(`python:${name}`, ['python3', '-c', call], `pyproject.toml project.scripts.${name}`)];
}

/** The keys of a table with what stands behind them on their line: enough of TOML for names. */
function keysOf(text: string, table: string): (readonly [name: string, value: string])[] {
  const keys: [string, string][] = [];
  let inside = false;
  for (const line of text.split('\n')) {
    const header = /^\s*\[([^\]]+)\]/.exec(line)?.[1]?.trim();
    if (header !== undefined) inside = header === table;
    const named = header?.startsWith(`${table}.`) === true ? header.slice(table.length + 1) : undefined;
    if (named !== undefined && plain.test(named)) keys.push([named, '']);
    const [, key, value = ''] = /^\s*"?([\w.:-]+)"?\s*=\s*(.*?)\s*(?:#.*)?$/.exec(line) ?? [];
    if (inside && key !== undefined && plain.test(key)) keys.push([key, value]);
  }
  return keys.slice(0, mostTasks);
}

const plain = /^[A-Za-z0-9][\w:-]{0,99}$/;

function pythonFile(source: string): Command {
  return {
    id: 'python:file',
    kind: 'other',
    isCheck: false,
    description: 'Runs a Python file of the workspace',
    argv: ['python3', '{file}', '{arguments}'],
    parameters: [
      { name: 'file', type: 'path', optional: false, many: false },
      { name: 'arguments', type: 'arguments', optional: true, many: true },
    ],
    directory: '.',
    source,
  };
}
