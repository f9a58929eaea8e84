import { posix } from 'node:path';
import { everyNode, lineAt, literalText, parseTree, type SyntaxNode } from './checks/syntax-tree.ts';
import { isTestPath, readPackages, type SourceFile, type WorkspacePackage } from './checks/workspace-packages.ts';

const ownScope = '@capstan/';
const langGraph = '@langchain/langgraph';
const langGraphAdapter = 'packages/agent/src/langgraph.ts';

/** Files that load what a user gives them, so that the module cannot be named. Tests may load what they have planted. */
const loaders = ['packages/repair/src/runtime/', 'packages/models/src/scripted/main.ts'];

interface Import {
  /** Undefined when it is computed while the program runs. */
  readonly specifier: string | undefined;
  readonly line: number;
}

/** Every import in packages and apps that breaks the rules of the floors, one sentence each. */
export function checkFloors(root: string): string[] {
  const packages = readPackages(root);
  const byName = new Map(packages.map((entry) => [entry.name, entry]));
  if (packages.length === 0) return ['no packages found'];
  return packages.flatMap((entry) => [
    ...manifestProblems(entry, byName),
    ...entry.files.flatMap((file) =>
      importsOf(file).flatMap(({ specifier, line }) => {
        const problem = importProblem(specifier, file, entry, byName);
        return problem === undefined ? [] : [`${file.path}:${line}: ${problem}`];
      }),
    ),
  ]);
}

type Packages = ReadonlyMap<string, WorkspacePackage>;

function manifestProblems(entry: WorkspacePackage, packages: Packages): string[] {
  const path = `${entry.folder}/package.json`;
  if (entry.floor === undefined) return [`${path}: capstan.floor is missing`];
  return [...entry.dependencies]
    .filter((name) => name.startsWith(ownScope))
    .flatMap((name) => {
      const problem = floorProblem(name, entry, packages);
      return problem === undefined ? [] : [`${path}: ${problem}`];
    });
}

function importProblem(
  specifier: string | undefined,
  file: SourceFile,
  entry: WorkspacePackage,
  packages: Packages,
): string | undefined {
  if (specifier === undefined) {
    const isLoader = file.isTest || loaders.some((loader) => file.path.startsWith(loader));
    return isLoader ? undefined : 'an import that is computed cannot be checked: name the module';
  }
  if (specifier.startsWith('node:')) return undefined;
  if (specifier.startsWith('.')) return relativeProblem(specifier, file, entry);
  const name = packageName(specifier);
  if (name === langGraph && file.path !== langGraphAdapter)
    return `${langGraph} is imported only by ${langGraphAdapter}`;
  if (name.startsWith(ownScope)) {
    if (specifier !== name) return `${specifier} reaches into a package: import ${name}`;
    const problem = floorProblem(name, entry, packages);
    if (problem !== undefined) return problem;
  }
  if (file.isTest && packages.has(name)) return undefined;
  const declared = file.isTest ? entry.testDependencies : entry.dependencies;
  return declared.has(name) ? undefined : `${name} is not a dependency in ${entry.folder}/package.json`;
}

function relativeProblem(specifier: string, file: SourceFile, entry: WorkspacePackage): string | undefined {
  const target = posix.join(posix.dirname(file.path), specifier);
  if (!target.startsWith(`${entry.folder}/`))
    return `${specifier} leaves the package: import the other one by its name`;
  return isTestPath(target) && !file.isTest ? `${specifier} is for tests only` : undefined;
}

function floorProblem(name: string, entry: WorkspacePackage, packages: Packages): string | undefined {
  const target = packages.get(name);
  if (target === undefined) return `there is no package ${name}`;
  if (target.isServer) return `${name} is a server: it is started as a process, never imported`;
  if (entry.floor === undefined || target.floor === undefined || target.floor < entry.floor) return undefined;
  return `${name} is on floor ${target.floor}, which is not below floor ${entry.floor} of ${entry.name}`;
}

/** Imports of every form: static, of types, re-exports, dynamic, `import('x').Type` and `require`. */
function importsOf(file: SourceFile): Import[] {
  return [...everyNode(parseTree(file.path, file.text))].flatMap((node) => {
    const source = sourceOf(node);
    if (source === undefined) return [];
    return [{ specifier: literalText(source.value), line: lineAt(file.text, node.start) }];
  });
}

function sourceOf(node: SyntaxNode): { value: unknown } | undefined {
  if (node.type === 'ImportDeclaration' || node.type === 'ImportExpression' || node.type === 'ExportAllDeclaration') {
    return { value: node.source };
  }
  if (node.type === 'ExportNamedDeclaration') return node.source === null ? undefined : { value: node.source };
  if (node.type === 'TSImportType') return { value: node.source ?? node.argument };
  if (node.type === 'CallExpression' && isRequire(node.callee) && Array.isArray(node.arguments)) {
    return { value: node.arguments[0] };
  }
  return undefined;
}

function isRequire(callee: unknown): boolean {
  return typeof callee === 'object' && callee !== null && 'name' in callee && callee.name === 'require';
}

/** "@scope/name" of "@scope/name/file", "name" of "name/file". */
function packageName(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}
