import { parseSync } from 'oxc-parser';
import type { OutlineSymbol } from './outline-symbol.ts';

interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly [key: string]: unknown;
}

type Found = Omit<OutlineSymbol, 'line'> & { readonly at: number };

const kinds: Readonly<Record<string, string>> = {
  FunctionDeclaration: 'function',
  TSDeclareFunction: 'function',
  ClassDeclaration: 'class',
  TSInterfaceDeclaration: 'interface',
  TSTypeAliasDeclaration: 'type',
  TSEnumDeclaration: 'enum',
  TSModuleDeclaration: 'namespace',
};

const memberKinds: Readonly<Record<string, string>> = {
  MethodDefinition: 'method',
  TSAbstractMethodDefinition: 'method',
  PropertyDefinition: 'property',
  TSAbstractPropertyDefinition: 'property',
  AccessorProperty: 'property',
  TSMethodSignature: 'method',
  TSPropertySignature: 'property',
};

/**
 * What a module declares at its top, with the members of its classes, interfaces and namespaces, from its syntax tree.
 * Undefined where it has syntax errors.
 */
export function outlineModule(path: string, text: string): OutlineSymbol[] | undefined {
  const result = parseSync(path, text, { sourceType: /\.c[jt]s$/.test(path) ? 'script' : 'module' });
  if (result.errors.length > 0) return undefined;
  const found = statementsOf(result.program).flatMap((statement) => declared(statement, 0));
  return withLines(text, found);
}

function declared(statement: SyntaxNode, depth: number): Found[] {
  if (statement.type === 'ExportNamedDeclaration' || statement.type === 'ExportDefaultDeclaration') {
    const inner = statement.declaration;
    return isNode(inner)
      ? declared(inner, depth).map((found, index) => (index === 0 ? { ...found, at: statement.start } : found))
      : [];
  }
  if (statement.type === 'VariableDeclaration') {
    return nodesOf(statement.declarations).flatMap((one) => {
      const name = nameOf(one.id);
      return name === undefined ? [] : [{ name, kind: String(statement.kind), depth, at: one.start }];
    });
  }
  const kind = kinds[statement.type];
  if (kind === undefined) return [];
  const name = nameOf(statement.id) ?? 'default';
  return [{ name, kind, depth, at: statement.start }, ...membersOf(statement, depth + 1)];
}

function membersOf({ body }: SyntaxNode, depth: number): Found[] {
  if (!isNode(body)) return [];
  return nodesOf(body.body).flatMap((member) => {
    const kind = memberKinds[member.type];
    if (kind === undefined) return depth < 8 && body.type === 'TSModuleBlock' ? declared(member, depth) : [];
    const name = nameOf(member.key);
    return name === undefined ? [] : [{ name, kind, depth, at: member.start }];
  });
}

function statementsOf(program: unknown): SyntaxNode[] {
  return isNode(program) ? nodesOf(program.body) : [];
}

function nameOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === 'PrivateIdentifier') return `#${String(node.name)}`;
  if (typeof node.name === 'string') return node.name;
  return node.type === 'Literal' ? String(node.value) : undefined;
}

function nodesOf(value: unknown): SyntaxNode[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

function withLines(text: string, found: readonly Found[]): OutlineSymbol[] {
  let line = 1;
  let from = 0;
  return found
    .toSorted((first, second) => first.at - second.at)
    .map(({ at, name, kind, depth }) => {
      for (let next = text.indexOf('\n', from); next !== -1 && next < at; next = text.indexOf('\n', from)) {
        line += 1;
        from = next + 1;
      }
      return { name, kind, depth, line };
    });
}
