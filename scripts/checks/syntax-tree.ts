import { parseSync } from 'oxc-parser';

/** A node of an ESTree, read by its `type`; everything else is unknown until it is looked at. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly [key: string]: unknown;
}

/** The whole tree of a TypeScript or JavaScript file. Throws when the file is not valid. */
export function parseTree(file: string, text: string): SyntaxNode {
  const { program, errors } = parseSync(file, text);
  const [error] = errors;
  if (error !== undefined) throw new SyntaxError(`${file}: ${error.message}`);
  return program as unknown as SyntaxNode;
}

/** All nodes, parents first. */
export function* everyNode(node: SyntaxNode): Generator<SyntaxNode> {
  yield node;
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) yield* everyNode(child);
    }
  }
}

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** The text of a string literal (or a template without holes), undefined for everything else. */
export function literalText(value: unknown): string | undefined {
  if (!isNode(value)) return undefined;
  if (value.type === 'Literal' && typeof value.value === 'string') return value.value;
  return nodesOf(value.quasis).length === 1 ? templateStart(value) : undefined;
}

/** The text of a template up to its first hole, undefined for everything else. */
export function templateStart(node: unknown): string | undefined {
  if (!isNode(node) || node.type !== 'TemplateLiteral') return undefined;
  const text = nodesOf(node.quasis)[0]?.value;
  return typeof text === 'object' && text !== null && 'cooked' in text ? String(text.cooked) : undefined;
}

/** The nodes of a list, none when it is not one. */
export function nodesOf(value: unknown): SyntaxNode[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** The name that is called: of `f()` and of `a.b.f()` it is `f`. */
export function calledName(call: SyntaxNode): string | undefined {
  const callee = call.callee;
  if (!isNode(callee)) return undefined;
  const name = callee.type === 'MemberExpression' ? callee.property : callee;
  return isNode(name) && name.type === 'Identifier' && typeof name.name === 'string' ? name.name : undefined;
}

/** Line of a position, from 1. */
export function lineAt(text: string, position: number): number {
  return text.slice(0, position).split('\n').length;
}
