import { parseSync } from 'oxc-parser';

/** A node of an ESTree or TypeScript-ESTree syntax tree. Offsets are UTF-16 units of the source text. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** A parsed module. `parents` has every node but the program itself. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly program: SyntaxNode;
  readonly parents: ReadonlyMap<SyntaxNode, SyntaxNode>;
}

const MODULE_NAME = /\.([cm]?[jt]s|[jt]sx)$/;

/** Whether a file is JavaScript or TypeScript that this package can read; declaration files are not. */
export function isModulePath(path: string): boolean {
  return MODULE_NAME.test(path) && !/\.d\.[cm]?ts$/.test(path);
}

/** Parses a module; `undefined` where it has syntax errors. */
export function parseSource(path: string, text: string): SourceFile | undefined {
  const result = parseSync(path, text, { sourceType: /\.c[jt]s$/.test(path) ? 'script' : 'module' });
  const usable = result.errors.length === 0 ? result : retryAsScript(path, text);
  if (usable === undefined) return undefined;
  const program = usable.program as SyntaxNode;
  const parents = new Map<SyntaxNode, SyntaxNode>();
  linkParents(program, parents);
  return { path, text, program, parents };
}

/** CommonJS allows what a module does not: `return` at the top, sloppy names. */
function retryAsScript(path: string, text: string): { program: unknown } | undefined {
  if (/\.m[jt]s$/.test(path)) return undefined;
  const result = parseSync(path, text, { sourceType: 'commonjs' });
  return result.errors.length === 0 ? result : undefined;
}

function linkParents(node: SyntaxNode, parents: Map<SyntaxNode, SyntaxNode>): void {
  for (const child of childrenOf(node)) {
    parents.set(child, node);
    linkParents(child, parents);
  }
}

const WRAPPERS = new Set([
  'TSAsExpression',
  'TSNonNullExpression',
  'TSSatisfiesExpression',
  'TSTypeAssertion',
  'TSInstantiationExpression',
]);

/** Child nodes in source order. Of TypeScript's own syntax only what holds an expression has children. */
export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  if (node.type.startsWith('TS')) {
    if (WRAPPERS.has(node.type)) return [node.expression].filter(isNode);
    return node.type === 'TSParameterProperty' ? [node.parameter].filter(isNode) : [];
  }
  const children: SyntaxNode[] = [];
  for (const key in node) {
    const value = node[key];
    if (Array.isArray(value)) children.push(...value.filter(isNode));
    else if (isNode(value)) children.push(value);
  }
  return children.sort((first, second) => first.start - second.start);
}

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';
}

/** The node under a key that has one, such as `test` of an `if`; `undefined` where there is none. */
export function nodeAt(node: SyntaxNode, key: string): SyntaxNode | undefined {
  const value = node[key];
  return isNode(value) ? value : undefined;
}

/** The nodes under a key that has a list, without holes. */
export function nodesAt(node: SyntaxNode, key: string): SyntaxNode[] {
  const value = node[key];
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** All nodes below and including `node`, outer ones first. */
export function* nodesIn(node: SyntaxNode): Generator<SyntaxNode> {
  yield node;
  for (const child of childrenOf(node)) yield* nodesIn(child);
}

/** The nodes around `node`, the nearest first. */
export function* ancestorsOf(file: SourceFile, node: SyntaxNode): Generator<SyntaxNode> {
  for (let at = file.parents.get(node); at !== undefined; at = file.parents.get(at)) yield at;
}

export function textOf(file: SourceFile, node: SyntaxNode): string {
  return file.text.slice(node.start, node.end);
}

/** Line of an offset, counted from 1. */
export function lineOf(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

export function isFunction(node: SyntaxNode): boolean {
  return FUNCTIONS.has(node.type);
}
