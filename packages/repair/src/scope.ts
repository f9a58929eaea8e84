import { ancestorsOf, isFunction, nodeAt, nodesAt, nodesIn, type SourceFile, type SyntaxNode } from './parse-source.ts';

/** What a variable seems to hold, judged by how it is used; `unknown` fits everything. */
export type Kind = 'number' | 'string' | 'boolean' | 'list' | 'object' | 'function' | 'unknown';

export interface Variable {
  readonly name: string;
  readonly kind: Kind;
  /** How many functions lie between the use and the declaration; 0 is the same function. */
  readonly distance: number;
  readonly parameter: boolean;
  /** Imported, or declared at the top of the module. */
  readonly global: boolean;
}

/** Names and kinds of one module. Kinds are judged by name and function, not by types. */
export interface Scope {
  /** Variables that are visible and initialised at `node`, the nearest first. */
  visibleAt(node: SyntaxNode): Variable[];
  /** The kind of an expression. */
  kindOf(node: SyntaxNode): Kind;
}

interface Declaration {
  readonly name: string;
  readonly at: SyntaxNode;
  readonly owner: SyntaxNode;
  readonly parameter: boolean;
  /** Functions are visible before their declaration. */
  readonly hoisted: boolean;
}

export function buildScope(file: SourceFile): Scope {
  const declarations = new Map<SyntaxNode, Declaration[]>();
  for (const node of nodesIn(file.program)) {
    for (const declaration of declaredBy(file, node)) {
      const list = declarations.get(declaration.owner) ?? [];
      list.push(declaration);
      declarations.set(declaration.owner, list);
    }
  }
  const kinds = new Map<Declaration, Kind>();
  const kindOfDeclaration = (declaration: Declaration): Kind => {
    const known = kinds.get(declaration);
    if (known !== undefined) return known;
    kinds.set(declaration, 'unknown');
    const kind = judgeKind(file, declaration, kindOf);
    kinds.set(declaration, kind);
    return kind;
  };
  const find = (node: SyntaxNode, name: string): Declaration | undefined => {
    for (const outer of ancestorsOf(file, node)) {
      const found = declarations.get(outer)?.find((declaration) => declaration.name === name);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const kindOf = (node: SyntaxNode): Kind => {
    if (node.type !== 'Identifier') return kindOfExpression(file, node, kindOf);
    if (node.name === 'Infinity' || node.name === 'NaN') return 'number';
    const declaration = find(node, String(node.name));
    return declaration === undefined ? 'unknown' : kindOfDeclaration(declaration);
  };
  const visibleAt = (node: SyntaxNode): Variable[] => {
    const found = new Map<string, Variable>();
    let distance = 0;
    for (const outer of ancestorsOf(file, node)) {
      for (const declaration of declarations.get(outer) ?? []) {
        const ready = declaration.hoisted || declaration.at.end <= node.start || declaration.owner.type === 'Program';
        if (!ready || found.has(declaration.name)) continue;
        const { name, parameter } = declaration;
        const global = declaration.owner.type === 'Program';
        found.set(name, { name, kind: kindOfDeclaration(declaration), distance, parameter, global });
      }
      if (isFunction(outer)) distance += 1;
    }
    return [...found.values()];
  };
  return { visibleAt, kindOf };
}

function* declaredBy(file: SourceFile, node: SyntaxNode): Generator<Declaration> {
  const parent = file.parents.get(node);
  if (isFunction(node)) {
    for (const param of nodesAt(node, 'params')) {
      for (const name of boundNames(param)) {
        yield { name: String(name.name), at: name, owner: node, parameter: true, hoisted: true };
      }
    }
    const id = nodeAt(node, 'id');
    if (id !== undefined && node.type === 'FunctionDeclaration' && parent !== undefined) {
      yield { name: String(id.name), at: id, owner: ownerOf(file, parent), parameter: false, hoisted: true };
    }
  } else if (node.type === 'VariableDeclarator' && parent !== undefined) {
    const owner = ownerOf(file, parent);
    for (const name of boundNames(nodeAt(node, 'id'))) {
      yield { name: String(name.name), at: node, owner, parameter: false, hoisted: false };
    }
  } else if (node.type === 'ClassDeclaration' && parent !== undefined) {
    const id = nodeAt(node, 'id');
    if (id !== undefined)
      yield { name: String(id.name), at: id, owner: ownerOf(file, parent), parameter: false, hoisted: true };
  } else if (/^Import(Default|Namespace)?Specifier$/.test(node.type)) {
    const local = nodeAt(node, 'local');
    if (local !== undefined)
      yield { name: String(local.name), at: local, owner: file.program, parameter: false, hoisted: true };
  } else if (node.type === 'CatchClause') {
    for (const name of boundNames(nodeAt(node, 'param'))) {
      yield { name: String(name.name), at: name, owner: node, parameter: false, hoisted: true };
    }
  }
}

/** The block, loop, function or program that a declaration belongs to. */
function ownerOf(file: SourceFile, node: SyntaxNode): SyntaxNode {
  for (let at: SyntaxNode | undefined = node; at !== undefined; at = file.parents.get(at)) {
    if (/^(Program|BlockStatement|StaticBlock|SwitchStatement|For(In|Of)?Statement)$/.test(at.type) || isFunction(at))
      return at;
  }
  return file.program;
}

/** Identifiers that a pattern binds. */
function boundNames(pattern: SyntaxNode | undefined): SyntaxNode[] {
  if (pattern === undefined) return [];
  if (pattern.type === 'Identifier') return [pattern];
  if (pattern.type === 'ObjectPattern') {
    return nodesAt(pattern, 'properties').flatMap((one) => boundNames(nodeAt(one, 'value') ?? nodeAt(one, 'argument')));
  }
  if (pattern.type === 'ArrayPattern') return nodesAt(pattern, 'elements').flatMap(boundNames);
  if (pattern.type === 'AssignmentPattern') return boundNames(nodeAt(pattern, 'left'));
  if (pattern.type === 'RestElement') return boundNames(nodeAt(pattern, 'argument'));
  return pattern.type === 'TSParameterProperty' ? boundNames(nodeAt(pattern, 'parameter')) : [];
}

const LIST_MEMBERS =
  /^(push|pop|shift|unshift|slice|splice|concat|map|filter|forEach|reduce|fill|sort|reverse|entries|every|some|join|at|find|findIndex|flat|flatMap)$/;
const STRING_MEMBERS =
  /^(charAt|charCodeAt|codePointAt|toUpperCase|toLowerCase|trim|split|replace|startsWith|endsWith|padStart|padEnd|repeat|substring)$/;
const LIST_RESULTS =
  /^(slice|concat|map|filter|fill|sort|reverse|flat|flatMap|splice|split|from|of|keys|values|entries)$/;
const NUMBER_RESULTS =
  /^(floor|ceil|round|abs|max|min|sqrt|trunc|pow|indexOf|lastIndexOf|findIndex|charCodeAt|codePointAt|parseInt|parseFloat|Number|push|unshift)$/;

function kindOfExpression(file: SourceFile, node: SyntaxNode, kindOf: (node: SyntaxNode) => Kind): Kind {
  switch (node.type) {
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSNonNullExpression':
      return kindOf(node.expression as SyntaxNode);
    case 'Literal':
      return kindOfValue(node.value);
    case 'TemplateLiteral':
      return 'string';
    case 'ArrayExpression':
      return 'list';
    case 'ObjectExpression':
    case 'NewExpression':
      return nodeAt(node, 'callee')?.name === 'Array' ? 'list' : 'object';
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
      return 'function';
    case 'UnaryExpression':
      return node.operator === '!' ? 'boolean' : node.operator === 'typeof' ? 'string' : 'number';
    case 'UpdateExpression':
      return 'number';
    case 'BinaryExpression':
      return kindOfBinary(node, kindOf);
    case 'AssignmentExpression':
      return kindOf(node.right as SyntaxNode);
    case 'ConditionalExpression':
      return join(kindOf(node.consequent as SyntaxNode), kindOf(node.alternate as SyntaxNode));
    case 'MemberExpression':
      return nodeAt(node, 'property')?.name === 'length' && node.computed !== true ? 'number' : 'unknown';
    case 'CallExpression':
      return kindOfCall(file, node);
    default:
      return 'unknown';
  }
}

function kindOfValue(value: unknown): Kind {
  const type = typeof value;
  return type === 'number' || type === 'string' || type === 'boolean' ? type : 'unknown';
}

function kindOfBinary(node: SyntaxNode, kindOf: (node: SyntaxNode) => Kind): Kind {
  const operator = String(node.operator);
  if (/^([<>]=?|[!=]==?|in|instanceof)$/.test(operator)) return 'boolean';
  if (operator !== '+') return 'number';
  const sides = [kindOf(node.left as SyntaxNode), kindOf(node.right as SyntaxNode)];
  if (sides.includes('string')) return 'string';
  return sides.includes('number') ? 'number' : 'unknown';
}

function kindOfCall(file: SourceFile, node: SyntaxNode): Kind {
  const callee = nodeAt(node, 'callee');
  const named = callee?.type === 'MemberExpression' ? nodeAt(callee, 'property') : callee;
  const name = typeof named?.name === 'string' ? named.name : '';
  if (callee?.type === 'MemberExpression' && LIST_RESULTS.test(name)) return 'list';
  if (NUMBER_RESULTS.test(name)) return 'number';
  return /^(String|join|charAt|toString|toFixed|padStart)$/.test(name) && file.text !== '' ? 'string' : 'unknown';
}

function join(first: Kind, second: Kind): Kind {
  return first === second || second === 'unknown' ? first : first === 'unknown' ? second : 'unknown';
}

/** Votes of all uses of the name inside its owner, and of its initial values. */
function judgeKind(file: SourceFile, declaration: Declaration, kindOf: (node: SyntaxNode) => Kind): Kind {
  const votes = new Map<Kind, number>();
  const vote = (kind: Kind, weight: number): void => {
    if (kind !== 'unknown') votes.set(kind, (votes.get(kind) ?? 0) + weight);
  };
  const direct = initialKind(file, declaration, kindOf);
  vote(direct, 5);
  for (const node of nodesIn(declaration.owner)) {
    if (node.type !== 'Identifier' || node.name !== declaration.name) continue;
    vote(kindByUse(file, node, kindOf), 1);
  }
  return [...votes].sort((first, second) => second[1] - first[1])[0]?.[0] ?? 'unknown';
}

function initialKind(file: SourceFile, { at, name }: Declaration, kindOf: (node: SyntaxNode) => Kind): Kind {
  const parent = file.parents.get(at);
  if (parent?.type === 'FunctionDeclaration' && parent.id === at) return 'function';
  if (parent?.type === 'RestElement') return 'list';
  if (at.type !== 'VariableDeclarator') {
    return parent?.type === 'AssignmentPattern' ? kindOf(parent.right as SyntaxNode) : 'unknown';
  }
  const id = nodeAt(at, 'id');
  const init = nodeAt(at, 'init');
  if (id?.type === 'Identifier' && init !== undefined) return kindOf(init);
  return id?.type === 'ArrayPattern' ? kindInPattern(file, at, id, name) : 'unknown';
}

/** `const [i, x] of list.entries()`: the first is a number; a rest is a list. */
function kindInPattern(file: SourceFile, at: SyntaxNode, pattern: SyntaxNode, name: string): Kind {
  const elements = nodesAt(pattern, 'elements');
  if (elements.some((one) => one.type === 'RestElement' && nodeAt(one, 'argument')?.name === name)) return 'list';
  const declaration = file.parents.get(at);
  const loop = declaration === undefined ? undefined : file.parents.get(declaration);
  const source = loop?.type === 'ForOfStatement' ? nodeAt(loop, 'right') : undefined;
  const callee = source?.type === 'CallExpression' ? nodeAt(source, 'callee') : undefined;
  const method = callee === undefined ? undefined : nodeAt(callee, 'property');
  const overObject = callee !== undefined && nodeAt(callee, 'object')?.name === 'Object';
  return method?.name === 'entries' && !overObject && elements[0]?.name === name ? 'number' : 'unknown';
}

function kindByUse(file: SourceFile, node: SyntaxNode, kindOf: (node: SyntaxNode) => Kind): Kind {
  const parent = file.parents.get(node);
  if (parent === undefined) return 'unknown';
  switch (parent.type) {
    case 'BinaryExpression':
      return kindByOperand(parent, node, kindOf);
    case 'UpdateExpression':
      return 'number';
    case 'AssignmentExpression':
      if (parent.left !== node) return 'unknown';
      if (parent.operator === '=') return kindOf(parent.right as SyntaxNode);
      return /^(\+|&&|\|\||\?\?)=$/.test(String(parent.operator)) ? kindOf(parent.right as SyntaxNode) : 'number';
    case 'MemberExpression':
      return parent.object === node ? kindByMember(parent) : 'unknown';
    case 'SpreadElement':
      return file.parents.get(parent)?.type === 'ObjectExpression' ? 'object' : 'list';
    case 'ForOfStatement':
      return parent.right === node ? 'list' : 'unknown';
    case 'CallExpression':
    case 'NewExpression':
      return parent.callee === node ? 'function' : kindByArgument(parent, node);
    case 'VariableDeclarator':
      return parent.init === node ? kindByPattern(nodeAt(parent, 'id')) : 'unknown';
    default:
      return 'unknown';
  }
}

function kindByOperand(parent: SyntaxNode, node: SyntaxNode, kindOf: (node: SyntaxNode) => Kind): Kind {
  const operator = String(parent.operator);
  if (/^[-*/%&|^]$|^\*\*$|^(<<|>>>?)$/.test(operator)) return 'number';
  const other = (parent.left === node ? parent.right : parent.left) as SyntaxNode;
  if (operator === 'in' || operator === 'instanceof') return 'unknown';
  return kindOf(other);
}

function nameOf(node: SyntaxNode | undefined): string {
  return typeof node?.name === 'string' ? node.name : '';
}

function kindByMember(member: SyntaxNode): Kind {
  const property = nodeAt(member, 'property');
  if (member.computed === true) return 'unknown';
  const name = nameOf(property);
  if (LIST_MEMBERS.test(name)) return 'list';
  if (STRING_MEMBERS.test(name)) return 'string';
  return name === 'length' ? 'list' : 'object';
}

const NUMBERS_TAKEN = /^(slice|splice|charAt|charCodeAt|at|repeat|substring|toFixed)$/;

/** `Math.abs(x)`, `list.slice(x)`, `new Array(x)` take numbers; `Object.keys(x)` takes an object. */
function kindByArgument(call: SyntaxNode, node: SyntaxNode): Kind {
  const callee = nodeAt(call, 'callee');
  const isFirst = nodesAt(call, 'arguments')[0] === node;
  if (callee?.name === 'Array') return isFirst ? 'number' : 'unknown';
  if (callee?.type !== 'MemberExpression') return 'unknown';
  const owner = nodeAt(callee, 'object')?.name;
  const method = nameOf(nodeAt(callee, 'property'));
  if (owner === 'Math' || NUMBERS_TAKEN.test(method)) return 'number';
  return owner === 'Object' && isFirst ? 'object' : 'unknown';
}

/** What is taken apart as a list is one. */
function kindByPattern(pattern: SyntaxNode | undefined): Kind {
  if (pattern?.type === 'ArrayPattern') return 'list';
  return pattern?.type === 'ObjectPattern' ? 'object' : 'unknown';
}
