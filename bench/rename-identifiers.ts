import { parseSync } from 'oxc-parser';

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** Variables that a module declares or imports, in order of appearance. Names of properties are not among them. */
export function declaredNames(path: string, text: string): string[] {
  const names = new Set<string>();
  const addPattern = (value: unknown): void => {
    if (!isNode(value)) return;
    if (value.type === 'Identifier') names.add(String(value.name));
    if (value.type === 'Property') addPattern(value.value);
    else
      for (const key of ['elements', 'properties', 'left', 'argument'])
        for (const one of listOf(value[key])) addPattern(one);
  };
  visit(programOf(path, text), undefined, (node) => {
    if (/^(Function|Class)(Declaration|Expression)$/.test(node.type)) addPattern(node.id);
    if (Array.isArray(node.params)) for (const param of listOf(node.params)) addPattern(param);
    if (node.type === 'VariableDeclarator') addPattern(node.id);
    if (node.type === 'CatchClause') addPattern(node.param);
    if (/^Import\w*Specifier$/.test(node.type)) addPattern(node.local);
  });
  return [...names];
}

/** Names under which a module exports what it declares by `export function` and the like. */
export function exportedNames(path: string, text: string): string[] {
  const names: string[] = [];
  visit(programOf(path, text), undefined, (node) => {
    if (node.type !== 'ExportNamedDeclaration') return;
    const declared = isNode(node.declaration) ? node.declaration : undefined;
    const declarators = declared === undefined ? [] : [declared, ...listOf(declared.declarations)];
    for (const one of declarators) if (isNode(one.id) && one.id.type === 'Identifier') names.push(String(one.id.name));
  });
  return names;
}

/** The module with each variable of `names` under its new name; `{ a }` becomes `{ a: b }`. */
export function renameIdentifiers(path: string, text: string, names: ReadonlyMap<string, string>): string {
  const edits: { start: number; end: number; text: string }[] = [];
  visit(programOf(path, text), undefined, (node, parent) => {
    const name = node.type === 'Identifier' ? names.get(String(node.name)) : undefined;
    if (name === undefined || parent === undefined || isPropertyName(node, parent)) return;
    const shorthand = isShorthand(node, parent);
    edits.push({ start: node.start, end: node.end, text: shorthand ? `${String(node.name)}: ${name}` : name });
  });
  let result = text;
  const places = new Map(edits.map((edit) => [edit.start, edit]));
  for (const edit of [...places.values()].sort((first, second) => second.start - first.start)) {
    result = result.slice(0, edit.start) + edit.text + result.slice(edit.end);
  }
  return result;
}

/** A test's imports from sources, so that `{ a }` still means what is now called otherwise. */
export function renameImports(path: string, text: string, names: ReadonlyMap<string, string>): string {
  const edits: { start: number; end: number; text: string }[] = [];
  visit(programOf(path, text), undefined, (node) => {
    if (node.type !== 'ImportSpecifier' || !isNode(node.imported) || !isNode(node.local)) return;
    const name = names.get(String(node.imported.name));
    if (name !== undefined)
      edits.push({ start: node.start, end: node.end, text: `${name} as ${String(node.local.name)}` });
  });
  return edits
    .sort((first, second) => second.start - first.start)
    .reduce((result, edit) => result.slice(0, edit.start) + edit.text + result.slice(edit.end), text);
}

function programOf(path: string, text: string): Node {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} does not parse: ${errors[0]?.message}`);
  return program as unknown as Node;
}

function isPropertyName(node: Node, parent: Node): boolean {
  if (parent.type === 'MemberExpression') return parent.property === node && parent.computed !== true;
  if (parent.type === 'Property') return parent.key === node && parent.computed !== true && parent.shorthand !== true;
  return /^(MethodDefinition|PropertyDefinition)$/.test(parent.type) && parent.key === node && parent.computed !== true;
}

function isShorthand(node: Node, parent: Node): boolean {
  return parent.type === 'Property' && parent.shorthand === true && (parent.key as Node).start === node.start;
}

function visit(node: Node, parent: Node | undefined, see: (node: Node, parent: Node | undefined) => void): void {
  see(node, parent);
  for (const key in node) for (const child of listOf(node[key])) visit(child, node, see);
}

function listOf(value: unknown): Node[] {
  if (Array.isArray(value)) return value.filter(isNode);
  return isNode(value) ? [value] : [];
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';
}
