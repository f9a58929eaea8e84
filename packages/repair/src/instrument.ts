import {
  childrenOf,
  isFunction,
  isNode,
  lineOf,
  nodeAt,
  nodesAt,
  type SourceFile,
  type SyntaxNode,
} from './parse-source.ts';

/** A place whose execution is counted: a function, a statement, or an operand that may be skipped. */
export interface Probe {
  readonly id: number;
  readonly path: string;
  readonly start: number;
  readonly end: number;
  readonly line: number;
  /** Name of the export, for functions that a module exports: their arguments are recorded. */
  readonly exported?: string;
}

interface Insertion {
  readonly offset: number;
  readonly text: string;
  readonly closes: boolean;
  /** The node it belongs to; a pair is dropped when an edit cuts it. */
  readonly from: number;
  readonly to: number;
}

export interface Instrumented {
  readonly file: SourceFile;
  readonly probes: readonly Probe[];
  readonly insertions: readonly Insertion[];
}

const STATEMENTS = new Set([
  'ExpressionStatement',
  'IfStatement',
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'WhileStatement',
  'DoWhileStatement',
  'ReturnStatement',
  'ThrowStatement',
  'TryStatement',
  'SwitchStatement',
  'VariableDeclaration',
  'LabeledStatement',
  'BreakStatement',
  'ContinueStatement',
  'BlockStatement',
]);

/** Finds where probes go. They are on the lines of the code they count, so that line numbers in traces stay true. */
export function instrument(file: SourceFile, firstId: number): Instrumented {
  const probes: Probe[] = [];
  const openers: Insertion[] = [];
  const closers: Insertion[] = [];
  const exported = exportedFunctions(file);

  const addProbe = (node: SyntaxNode, name?: string): number => {
    const id = firstId + probes.length;
    const place = { id, path: file.path, start: node.start, end: node.end, line: lineOf(file.text, node.start) };
    probes.push(name === undefined ? place : { ...place, exported: name });
    return id;
  };
  const call = (id: number, more = ''): string => `globalThis.$capstan?.(${id}${more})`;
  const open = (node: SyntaxNode, text: string): void => {
    openers.push({ offset: node.start, text, closes: false, from: node.start, to: node.end });
  };
  const close = (node: SyntaxNode, text: string): void => {
    closers.push({ offset: node.end, text, closes: true, from: node.start, to: node.end });
  };
  const before = (node: SyntaxNode): void => {
    const text = `${call(addProbe(node))};`;
    openers.push({ offset: node.start, text, closes: false, from: node.start, to: node.start });
  };
  const around = (node: SyntaxNode, parent: SyntaxNode, visitInner: () => void): void => {
    const name = exported.get(parent);
    open(node, `(${call(addProbe(node, name), argumentsOf(parent, name !== undefined))},`);
    visitInner();
    close(node, ')');
  };
  const enterFunction = (node: SyntaxNode): void => {
    const body = nodeAt(node, 'body');
    if (body?.type !== 'BlockStatement') return;
    const id = addProbe(node, exported.get(node));
    const at = afterDirectives(body);
    const text = `${call(id, argumentsOf(node, exported.has(node)))};`;
    openers.push({ offset: at, text, closes: false, from: at, to: at });
  };

  const visit = (node: SyntaxNode, parent: SyntaxNode | undefined): void => {
    if (isFunction(node)) enterFunction(node);
    const inner = (): void => {
      for (const child of childrenOf(node)) visit(child, node);
    };
    if (parent !== undefined && isSkippable(node, parent)) around(node, parent, inner);
    else if (parent !== undefined && isSoleBody(node, parent)) {
      open(node, `{${call(addProbe(node))};`);
      inner();
      close(node, '}');
    } else {
      if (parent !== undefined && isInList(node, parent)) before(node);
      inner();
    }
  };
  visit(file.program, undefined);
  const order = (first: Insertion, second: Insertion): number =>
    first.offset - second.offset || Number(second.closes) - Number(first.closes);
  return { file, probes, insertions: [...closers, ...openers].sort(order) };
}

/** The text with probes, after `edit` (in offsets of the plain text) where one is given. */
export function render(instrumented: Instrumented, edit?: { start: number; end: number; text: string }): string {
  const { file, insertions } = instrumented;
  const pieces: string[] = [];
  let at = 0;
  let edited = edit === undefined;
  const takeTo = (offset: number): void => {
    if (edit !== undefined && !edited && offset >= edit.end) {
      pieces.push(file.text.slice(at, edit.start), edit.text);
      at = edit.end;
      edited = true;
    }
    pieces.push(file.text.slice(at, offset));
    at = Math.max(at, offset);
  };
  for (const insertion of insertions) {
    if (edit !== undefined && isCut(insertion, edit)) continue;
    takeTo(insertion.offset);
    pieces.push(insertion.text);
  }
  takeTo(file.text.length);
  return pieces.join('');
}

function isCut({ from, to }: Insertion, edit: { start: number; end: number }): boolean {
  const contains = from <= edit.start && to >= edit.end;
  return !contains && to > edit.start && from < edit.end;
}

function isInList(node: SyntaxNode, parent: SyntaxNode): boolean {
  if (!STATEMENTS.has(node.type) || isDirective(node)) return false;
  if (parent.type === 'SwitchCase') return node !== parent.test;
  return parent.type === 'Program' || parent.type === 'BlockStatement' || parent.type === 'StaticBlock';
}

/** The body of an `if` or a loop without braces. */
function isSoleBody(node: SyntaxNode, parent: SyntaxNode): boolean {
  if (!STATEMENTS.has(node.type) || node.type === 'BlockStatement') return false;
  if (parent.type === 'IfStatement') return node === parent.consequent || node === parent.alternate;
  return /^(For|ForIn|ForOf|While|DoWhile)Statement$/.test(parent.type) && node === parent.body;
}

/** Operands that are not always evaluated. */
function isSkippable(node: SyntaxNode, parent: SyntaxNode): boolean {
  if (parent.type === 'ConditionalExpression') return node !== parent.test;
  if (parent.type === 'LogicalExpression') return node === parent.right;
  return parent.type === 'ArrowFunctionExpression' && node === parent.body && node.type !== 'BlockStatement';
}

function isDirective(node: SyntaxNode): boolean {
  return node.type === 'ExpressionStatement' && typeof node.directive === 'string';
}

function afterDirectives(body: SyntaxNode): number {
  const last = nodesAt(body, 'body').filter(isDirective).at(-1);
  return last === undefined ? body.start + 1 : last.end;
}

function argumentsOf(node: SyntaxNode, exported: boolean): string {
  if (!exported) return '';
  if (node.type !== 'ArrowFunctionExpression') return ',arguments';
  const params = nodesAt(node, 'params');
  if (!params.every((param) => param.type === 'Identifier')) return '';
  return `,[${params.map((param) => String(param.name)).join(',')}]`;
}

/** Functions that a module exports under a name, by `export` or `module.exports`. */
function exportedFunctions(file: SourceFile): Map<SyntaxNode, string> {
  const local = new Map<string, SyntaxNode>();
  const found = new Map<SyntaxNode, string>();
  const declare = (statement: SyntaxNode | undefined, direct: boolean): void => {
    for (const [name, node] of declaredFunctions(statement)) {
      local.set(name, node);
      if (direct) found.set(node, name);
    }
  };
  for (const statement of nodesAt(file.program, 'body')) {
    declare(statement, false);
    if (statement.type === 'ExportNamedDeclaration') declare(nodeAt(statement, 'declaration'), true);
    if (statement.type === 'ExportDefaultDeclaration') {
      const node = nodeAt(statement, 'declaration');
      if (node !== undefined && isFunction(node)) found.set(node, 'default');
    }
  }
  for (const [from, to] of exportedNames(file)) {
    const node = local.get(from);
    if (node !== undefined) found.set(node, to);
  }
  return found;
}

function declaredFunctions(statement: SyntaxNode | undefined): [string, SyntaxNode][] {
  if (statement === undefined) return [];
  if (statement.type === 'FunctionDeclaration') return [[nameOf(statement.id), statement]];
  if (statement.type !== 'VariableDeclaration') return [];
  return nodesAt(statement, 'declarations').flatMap((declarator): [string, SyntaxNode][] => {
    const init = nodeAt(declarator, 'init');
    return init !== undefined && isFunction(init) ? [[nameOf(declarator.id), init]] : [];
  });
}

function exportedNames(file: SourceFile): [string, string][] {
  return nodesAt(file.program, 'body').flatMap((statement): [string, string][] => {
    if (statement.type === 'ExportNamedDeclaration' && statement.source === null) {
      return nodesAt(statement, 'specifiers').map((one) => [nameOf(one.local), nameOf(one.exported)]);
    }
    const assigned = statement.type === 'ExpressionStatement' ? nodeAt(statement, 'expression') : undefined;
    const left = assigned?.type === 'AssignmentExpression' ? nodeAt(assigned, 'left') : undefined;
    if (assigned === undefined || left?.type !== 'MemberExpression') return [];
    const target = file.text.slice(left.start, left.end);
    const right = nodeAt(assigned, 'right');
    if (target === 'module.exports' && right?.type === 'ObjectExpression') {
      return nodesAt(right, 'properties').map((property) => [nameOf(property.value), nameOf(property.key)]);
    }
    const name = /^(?:module\.)?exports\.(\w+)$/.exec(target)?.[1];
    return name === undefined || right === undefined ? [] : [[nameOf(right), name]];
  });
}

function nameOf(node: unknown): string {
  return isNode(node) && typeof node.name === 'string' ? node.name : '';
}
