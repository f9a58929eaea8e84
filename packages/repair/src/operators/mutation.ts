import {
  ancestorsOf,
  isFunction,
  nodeAt,
  nodesAt,
  parseSource,
  type SourceFile,
  type SyntaxNode,
  textOf,
} from '../parse-source.ts';
import type { Kind, Scope, Variable } from '../scope.ts';

/** One small change of a text: [start, end) becomes `text`. */
export interface Mutation {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** "family/rule". */
  readonly operator: string;
  /** How often such a change is the right one, against the others: 0 to 1. */
  readonly prior: number;
}

export interface OperatorContext {
  readonly file: SourceFile;
  readonly scope: Scope;
  /** Names of members in the data of the tests. */
  readonly dataNames: ReadonlySet<string>;
}

/** Proposes changes of one node; it never looks at what the names mean. */
export type Operator = (node: SyntaxNode, context: OperatorContext) => Mutation[];

/** Replaces a whole expression, with parentheses where its place would tear the new text apart. */
export function replace(
  { file }: OperatorContext,
  node: SyntaxNode,
  text: string,
  operator: string,
  prior: number,
): Mutation {
  const parent = file.parents.get(node);
  const safe = parent !== undefined && tears(parent, node, text) ? `(${text})` : text;
  return { start: node.start, end: node.end, text: safe, operator, prior };
}

const PRECEDENCE: readonly (readonly string[])[] = [
  ['??'],
  ['||'],
  ['&&'],
  ['|'],
  ['^'],
  ['&'],
  ['==', '!=', '===', '!=='],
  ['<', '>', '<=', '>=', 'in', 'instanceof'],
  ['<<', '>>', '>>>'],
  ['+', '-'],
  ['*', '/', '%'],
  ['**'],
];
const LOOSEST = -1;
const TIGHTEST = PRECEDENCE.length;

function precedenceOf(expression: SyntaxNode | undefined): number {
  if (expression === undefined) return LOOSEST;
  if (/^(Binary|Logical)Expression$/.test(expression.type)) {
    return PRECEDENCE.findIndex((level) => level.includes(String(expression.operator)));
  }
  if (/^(Unary|Await)Expression$/.test(expression.type)) return TIGHTEST - 1;
  return /^(Assignment|Arrow|Conditional|Yield|Sequence|Function|Object|Class)/.test(expression.type)
    ? LOOSEST
    : TIGHTEST;
}

/** Whether an expression put in the place of `node` would be read as something else. */
function tears(parent: SyntaxNode, node: SyntaxNode, text: string): boolean {
  const own = precedenceOf(expressionOf(text));
  if (parent.type === 'MemberExpression') return parent.object === node && own < TIGHTEST;
  if (/^(Call|New)Expression$/.test(parent.type)) return parent.callee === node && own < TIGHTEST;
  if (/^(Binary|Logical)Expression$/.test(parent.type)) {
    const outer = precedenceOf(parent);
    // `a - (-1)`, and `(a || b) ?? c`: what may not stand bare beside each other.
    if (/^[-+]/.test(text) && /^[-+*]/.test(String(parent.operator))) return true;
    if (parent.type === 'LogicalExpression' && own < PRECEDENCE.length && own <= 2 && own !== outer) return true;
    return own < outer || (own === outer && (parent.right === node || parent.operator === '**'));
  }
  if (parent.type === 'ConditionalExpression') return parent.test === node && own === LOOSEST;
  return (
    /^(Unary|Await|Update|TaggedTemplate|TSAs|TSNonNull|TSSatisfies)Expression$/.test(parent.type) && own < TIGHTEST
  );
}

function expressionOf(text: string): SyntaxNode | undefined {
  const parsed = parseSource('x.ts', `(${text});`);
  const statement = parsed === undefined ? undefined : nodesAt(parsed.program, 'body')[0];
  const wrapped = statement === undefined ? undefined : nodeAt(statement, 'expression');
  return wrapped === undefined ? undefined : nodeAt(wrapped, 'expression');
}

/** The text of an operand for use inside a new expression; `beside` is the operator that will stand next to it. */
export function operand({ file }: OperatorContext, node: SyntaxNode, beside?: string): string {
  const text = textOf(file, node);
  const outer = beside === undefined ? TIGHTEST : PRECEDENCE.findIndex((level) => level.includes(beside));
  return precedenceOf(node) >= outer ? text : `(${text})`;
}

/** A list or a text may stand for each other: both have a length and places. */
export function fits(first: Kind, second: Kind): boolean {
  if (first === 'unknown' || second === 'unknown' || first === second) return true;
  const sequences: readonly Kind[] = ['list', 'string'];
  return sequences.includes(first) && sequences.includes(second);
}

/** Visible variables that surely hold a number, local ones only. */
export function numbersAt(context: OperatorContext, node: SyntaxNode): Variable[] {
  return context.scope.visibleAt(node).filter((variable) => variable.kind === 'number' && !variable.global);
}

export function listsAt(context: OperatorContext, node: SyntaxNode): Variable[] {
  return context.scope.visibleAt(node).filter((variable) => variable.kind === 'list' && !variable.global);
}

/** The innermost function around a node; the program where there is none. */
export function functionAround({ file }: OperatorContext, node: SyntaxNode): SyntaxNode {
  for (const outer of ancestorsOf(file, node)) if (isFunction(outer)) return outer;
  return file.program;
}

/** Whether an identifier is read or written as a variable, rather than naming a property or a declaration. */
export function isVariableUse(file: SourceFile, node: SyntaxNode): boolean {
  const parent = file.parents.get(node);
  if (node.type !== 'Identifier' || parent === undefined) return false;
  if (parent.type === 'MemberExpression') return parent.object === node || parent.computed === true;
  if (parent.type === 'Property') return parent.value === node && parent.shorthand !== true && !isPattern(file, parent);
  if (/^(VariableDeclarator|AssignmentPattern)$/.test(parent.type))
    return parent.init === node || parent.right === node;
  if (isFunction(parent)) return parent.body === node;
  return !/^(Import|Export|Labeled|Break|Continue|Class|Method|PropertyDef|Rest|ArrayPattern|CatchClause|TS)/.test(
    parent.type,
  );
}

function isPattern(file: SourceFile, property: SyntaxNode): boolean {
  return file.parents.get(property)?.type === 'ObjectPattern';
}
