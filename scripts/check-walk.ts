import { calledName, everyNode, isNode, lineAt, nodesOf, parseTree, type SyntaxNode } from './checks/syntax-tree.ts';
import { readPackages, type SourceFile } from './checks/workspace-packages.ts';

interface Hop {
  readonly name: string;
  /** The one file that exports it. */
  readonly home: string;
  /** Files that may call it; a trailing `/` stands for all files of a folder. At least one of the first has to. */
  readonly callers: readonly string[];
  /** Files that call a method of the same name on something else, with the reason. */
  readonly namesakes?: Readonly<Record<string, string>>;
}

/** The way of every task from raw input to a tool server, in order. */
const walk: readonly Hop[] = [
  { name: 'startRun', home: 'packages/orchestration/src/start-run.ts', callers: ['apps/cli/src/'] },
  {
    name: 'admitRun',
    home: 'packages/orchestration/src/admit-run.ts',
    callers: ['packages/orchestration/src/start-run.ts'],
  },
  {
    name: 'driveRun',
    home: 'packages/orchestration/src/drive-run.ts',
    callers: ['packages/orchestration/src/admit-run.ts', 'packages/orchestration/src/resume-run.ts'],
  },
  { name: 'runGraph', home: 'packages/agent/src/run-graph.ts', callers: ['packages/orchestration/src/drive-run.ts'] },
  { name: 'performCall', home: 'packages/agent/src/perform-call.ts', callers: ['packages/agent/src/nodes/'] },
  {
    name: 'callTool',
    home: 'packages/gateway/src/call-tool.ts',
    callers: ['packages/agent/src/perform-call.ts', 'packages/gateway/src/faces/'],
    namesakes: { 'packages/gateway/src/dispatch.ts': 'the method of the MCP client' },
  },
  { name: 'dispatch', home: 'packages/gateway/src/dispatch.ts', callers: ['packages/gateway/src/stages/execute.ts'] },
];

interface Mention {
  readonly file: string;
  readonly line: number;
  readonly kind: 'export' | 'call' | 'rename';
  readonly name: string;
}

/** What is wrong with the walk: a hop missing, exported twice, called from elsewhere, or not called by the hop before. */
export function checkWalk(root: string): string[] {
  const names = new Set(walk.map((hop) => hop.name));
  const files = readPackages(root).flatMap((entry) => entry.files.filter((file) => !file.isTest));
  const mentions = files.flatMap((file) => mentionsIn(file, names));
  return walk.flatMap((hop) =>
    hopProblems(
      hop,
      mentions.filter((mention) => mention.name === hop.name),
    ),
  );
}

function hopProblems(hop: Hop, mentions: readonly Mention[]): string[] {
  const exports = mentions.filter(({ kind }) => kind === 'export');
  const calls = mentions.filter(({ kind, file }) => kind === 'call' && hop.namesakes?.[file] === undefined);
  const problems = [
    ...exports
      .filter(({ file }) => file !== hop.home)
      .map((found) => at(found, `${hop.name} is exported by ${hop.home}`)),
    ...calls
      .filter(({ file }) => !hop.callers.some((caller) => covers(caller, file)))
      .map((found) => at(found, `${hop.name} is called only from ${hop.callers.join(' and ')}`)),
    ...mentions
      .filter(({ kind }) => kind === 'rename')
      .map((found) => at(found, `${hop.name} keeps its name: a renamed hop cannot be followed`)),
  ];
  const [caller = ''] = hop.callers;
  if (exports.filter(({ file }) => file === hop.home).length !== 1)
    problems.push(`${hop.home} does not export ${hop.name} once`);
  if (!calls.some(({ file }) => covers(caller, file))) problems.push(`${caller} does not call ${hop.name}`);
  return problems;
}

function covers(caller: string, file: string): boolean {
  return caller.endsWith('/') ? file.startsWith(caller) : file === caller;
}

function at({ file, line }: Mention, problem: string): string {
  return `${file}:${line}: ${problem}`;
}

function mentionsIn(file: SourceFile, names: ReadonlySet<string>): Mention[] {
  if (![...names].some((name) => file.text.includes(name))) return [];
  return [...everyNode(parseTree(file.path, file.text))].flatMap((node) =>
    mentionsOf(node)
      .filter(({ name }) => names.has(name))
      .map(({ kind, name }) => ({ kind, name, file: file.path, line: lineAt(file.text, node.start) })),
  );
}

function mentionsOf(node: SyntaxNode): Pick<Mention, 'kind' | 'name'>[] {
  if (node.type === 'CallExpression') {
    const name = calledName(node);
    return name === undefined ? [] : [{ kind: 'call', name }];
  }
  if (node.type === 'ImportSpecifier' || node.type === 'ExportSpecifier') {
    const from = nameOf(node.type === 'ImportSpecifier' ? node.imported : node.local);
    const to = nameOf(node.type === 'ImportSpecifier' ? node.local : node.exported);
    return from === to || from === undefined ? [] : [{ kind: 'rename', name: from }];
  }
  if (node.type === 'ExportNamedDeclaration')
    return declaredNames(node.declaration).map((name) => ({ kind: 'export', name }));
  return [];
}

/** Names that `export function f` or `export const f = ...` declares; a type of the name is none. */
function declaredNames(declaration: unknown): string[] {
  if (!isNode(declaration)) return [];
  if (declaration.type === 'FunctionDeclaration') return [nameOf(declaration.id)].filter((name) => name !== undefined);
  if (declaration.type !== 'VariableDeclaration') return [];
  const names = nodesOf(declaration.declarations).map((declarator) => nameOf(declarator.id));
  return names.filter((name) => name !== undefined);
}

function nameOf(node: unknown): string | undefined {
  return isNode(node) && typeof node.name === 'string' ? node.name : undefined;
}
