import { ancestorsOf, isFunction, nodeAt, nodesAt, nodesIn, type SyntaxNode, textOf } from '../parse-source.ts';
import type { Kind } from '../scope.ts';
import { functionAround, type Mutation, type Operator, type OperatorContext, operand, replace } from './mutation.ts';

/*
 * What may be absent or empty. Forgotten checks are among the most frequent small bugs in published histories, but each
 * place has many forms of them, so that a single form is rarely the right one: priors are low, and the forms are bounded.
 */
const NULLISH = 0.3;
const PRESENCE = 0.25;
const TYPE_CHECK = 0.1;
const CHAIN = 0.15;
const DEFAULT_KNOWN = 0.12;
const DEFAULT_GUESSED = 0.06;
const WRONG_DEFAULT = 0.15;
const GUARD_PARAMETER = 0.12;
const GUARD_VARIABLE = 0.1;
const MOST_RESULTS = 3;
const MOST_VARIABLES = 3;

/** `a || b` to `a ?? b`, where 0, '' and false are values too; and back is `comparison/connective`. */
const toNullish: Operator = (node, context) => {
  if (node.type !== 'LogicalExpression' || node.operator !== '||' || isTest(node, context)) return [];
  const [left, right] = [node.left as SyntaxNode, node.right as SyntaxNode];
  if (/^Logical/.test(left.type) || context.scope.kindOf(left) === 'boolean') return [];
  const text = `${operand(context, left)} ?? ${operand(context, right)}`;
  return [replace(context, node, text, 'absence/nullish', NULLISH)];
};

/** A condition that takes 0 or '' for absent, or anything present for what it needs. */
const checkPresence: Operator = (node, context) => {
  const negated = node.type === 'UnaryExpression' && node.operator === '!';
  const subject = negated ? (node.argument as SyntaxNode) : node;
  const parent = context.file.parents.get(node);
  if (!/^(Identifier|MemberExpression)$/.test(subject.type) || parent === undefined) return [];
  if (!isTest(node, context) || (parent.type === 'UnaryExpression' && parent.operator === '!')) return [];
  if (context.scope.kindOf(subject) === 'boolean') return [];
  const text = textOf(context.file, subject);
  const [present, loosely, is, not] = negated
    ? (['===', '==', '!==', '!'] as const)
    : (['!==', '!=', '===', ''] as const);
  const types = ['string', 'object', 'function'].map((type) => `typeof ${text} ${is} '${type}'`);
  return [
    replace(context, node, `${text} ${present} undefined`, 'absence/presence', PRESENCE),
    replace(context, node, `${text} ${loosely} null`, 'absence/presence', PRESENCE),
    ...[...types, `${not}Array.isArray(${text})`].map((form) =>
      replace(context, node, form, 'absence/type', TYPE_CHECK),
    ),
  ];
};

/** `a.b` to `a?.b`, for variables and what hangs on them. */
const chainOptionally: Operator = (node, context) => {
  if (node.type !== 'MemberExpression' || node.optional === true || isWritten(node, context)) return [];
  const [object, property] = [node.object as SyntaxNode, node.property as SyntaxNode];
  if (!isLocal(object, context)) return [];
  const inner = textOf(context.file, property);
  const text = `${textOf(context.file, object)}?.${node.computed === true ? `[${inner}]` : inner}`;
  return [replace(context, node, text, 'absence/chain', CHAIN)];
};

const EMPTY: Readonly<Partial<Record<Kind, string>>> = { string: "''", number: '0', list: '[]', object: '{}' };

/** A value that may be missing gets a default: an empty one of its kind, or one that the module uses as such. */
const addDefault: Operator = (node, context) => {
  if (!/^(Identifier|MemberExpression|CallExpression)$/.test(node.type) || !isValue(node, context)) return [];
  if (node.type === 'Identifier' && !isLocal(node, context)) return [];
  const kind = context.scope.kindOf(node);
  if (kind === 'boolean' || kind === 'function') return [];
  const text = operand(context, node);
  const empty = kind === 'unknown' ? ["''", '[]', '{}', '0'] : [EMPTY[kind] ?? ''];
  const prior = kind === 'unknown' ? DEFAULT_GUESSED * 0.5 : DEFAULT_GUESSED;
  const known = usedDefaults(context);
  return [
    ...known.map((value) => replace(context, node, `${text} || ${value}`, 'absence/default', DEFAULT_KNOWN)),
    ...empty.map((value) => replace(context, node, `${text} ?? ${value}`, 'absence/default', prior)),
  ];
};

/** The literals that the module uses most as defaults, as first values, or to compare with. */
function usedDefaults({ file }: OperatorContext): string[] {
  const counts = new Map<string, number>();
  for (const node of nodesIn(file.program)) {
    const value = startingValue(node);
    if (value?.type !== 'Literal' || !/^(string|number)$/.test(typeof value.value)) continue;
    const text = textOf(file, value);
    if (text.length > 2 || typeof value.value === 'number') counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  const ordered = [...counts].sort((first, second) => second[1] - first[1]);
  return ordered.slice(0, MOST_RESULTS).map(([text]) => text);
}

function startingValue(node: SyntaxNode): SyntaxNode | undefined {
  if (node.type === 'VariableDeclarator') return nodeAt(node, 'init');
  const follows =
    (node.type === 'LogicalExpression' && node.operator !== '&&') ||
    (node.type === 'BinaryExpression' && /^[!=]==?$/.test(String(node.operator))) ||
    /^Assignment(Pattern|Expression)$/.test(node.type);
  return follows ? nodeAt(node, 'right') : undefined;
}

const DEFAULTS = ['undefined', 'null', '[]', '{}', "''"];

/** Another empty value as the default. */
const changeDefault: Operator = (node, context) => {
  const parent = context.file.parents.get(node);
  const isDefault =
    (parent?.type === 'AssignmentPattern' || (parent?.type === 'LogicalExpression' && parent.operator !== '&&')) &&
    parent.right === node;
  if (!isDefault || (parent !== undefined && isTest(parent, context))) return [];
  const own = textOf(context.file, node);
  if (!DEFAULTS.includes(own)) return [];
  return DEFAULTS.filter((other) => other !== own).map((other) =>
    replace(context, node, other, 'absence/default-value', WRONG_DEFAULT * 0.5),
  );
};

/** A check before a statement that leaves early: for parameters at the start, for variables after they got their value. */
const leaveEarly: Operator = (node, context) => {
  const parent = context.file.parents.get(node);
  if (parent?.type !== 'BlockStatement' || !/(Statement|Declaration)$/.test(node.type)) return [];
  const statements = nodesAt(parent, 'body');
  const at = statements.indexOf(node);
  const own = functionAround(context, node);
  const isStart = at === 0 && nodeAt(own, 'body') === parent && isFunction(own);
  const names = isStart ? parametersOf(own) : declaredBy(statements[at - 1]);
  const prior = isStart ? GUARD_PARAMETER : GUARD_VARIABLE;
  const indent = /[^\S\n]*$/.exec(context.file.text.slice(0, node.start))?.[0] ?? '';
  return names.slice(0, MOST_VARIABLES).flatMap((name) =>
    conditionsFor(name, context, node).flatMap((condition) =>
      exitsAt(node, own, context).map((exit): Mutation => {
        const text = `if (${condition}) ${exit};\n${indent}`;
        return { start: node.start, end: node.start, text, operator: 'absence/guard', prior };
      }),
    ),
  );
};

function parametersOf(own: SyntaxNode): string[] {
  return nodesAt(own, 'params').flatMap((param) => {
    const name = param.type === 'AssignmentPattern' ? nodeAt(param, 'left') : param;
    return name?.type === 'Identifier' ? [String(name.name)] : [];
  });
}

function declaredBy(statement: SyntaxNode | undefined): string[] {
  if (statement?.type !== 'VariableDeclaration') return [];
  return nodesAt(statement, 'declarations').flatMap((one) => {
    const [id, init] = [nodeAt(one, 'id'), nodeAt(one, 'init')];
    const absent = init !== undefined && /^(Call|Member|Await|Logical|Chain|Conditional)/.test(init.type);
    return id?.type === 'Identifier' && absent ? [String(id.name)] : [];
  });
}

function conditionsFor(name: string, context: OperatorContext, at: SyntaxNode): string[] {
  const kind = context.scope.visibleAt(at).find((one) => one.name === name)?.kind ?? 'unknown';
  if (kind === 'boolean' || kind === 'function') return [];
  if (kind === 'number') return [`${name} === undefined`, `${name} <= 0`];
  if (kind === 'object') return [`${name} == null`];
  return kind === 'unknown' ? [`${name} == null`, `${name}?.length === 0`] : [`${name}?.length === 0`, `!${name}`];
}

/** How the function leaves elsewhere, and plainly; in a loop also to the next round. */
function exitsAt(node: SyntaxNode, own: SyntaxNode, context: OperatorContext): string[] {
  const exits = new Set<string>();
  for (const outer of ancestorsOf(context.file, node)) {
    if (outer === own) break;
    if (/^(For|ForIn|ForOf|While|DoWhile)Statement$/.test(outer.type)) exits.add('continue');
  }
  for (const inner of nodesIn(own)) {
    if (inner.type !== 'ReturnStatement' || functionAround(context, inner) !== own) continue;
    const value = nodeAt(inner, 'argument');
    if (value === undefined) exits.add('return');
    else if (/^(Literal|ArrayExpression|ObjectExpression)$/.test(value.type) && value.end - value.start <= 10)
      exits.add(`return ${textOf(context.file, value)}`);
    else exits.add(`return ${emptyOf(context.scope.kindOf(value))}`.trim());
  }
  if (exits.size === 0) exits.add('return');
  return [...exits].slice(0, MOST_RESULTS);
}

function emptyOf(kind: Kind): string {
  return kind === 'boolean' ? 'false' : (EMPTY[kind] ?? '');
}

/** Whether a node is asked for its truth. */
function isTest(node: SyntaxNode, context: OperatorContext): boolean {
  const parent = context.file.parents.get(node);
  if (parent === undefined) return false;
  if (parent.type === 'LogicalExpression') {
    return (parent.operator !== '??' && parent.left === node) || isTest(parent, context);
  }
  if (parent.type === 'UnaryExpression') return parent.operator === '!';
  return /^(If|While|DoWhile|For)Statement$|^ConditionalExpression$/.test(parent.type) && parent.test === node;
}

function isWritten(node: SyntaxNode, { file }: OperatorContext): boolean {
  const parent = file.parents.get(node);
  if (parent === undefined) return true;
  if (/^(UpdateExpression|TaggedTemplateExpression|NewExpression)$/.test(parent.type)) return true;
  if (parent.type === 'UnaryExpression') return parent.operator === 'delete';
  if (/Pattern$|^(ForOf|ForIn)Statement$|^Property$|^RestElement$/.test(parent.type)) return true;
  return parent.type === 'AssignmentExpression' && parent.left === node;
}

/** A variable of a function, or what hangs on one: not a module and nothing built in. */
function isLocal(node: SyntaxNode, context: OperatorContext): boolean {
  if (node.type === 'MemberExpression') return isLocal(node.object as SyntaxNode, context);
  if (node.type === 'ThisExpression') return false;
  return (
    node.type === 'Identifier' &&
    context.scope.visibleAt(node).some(({ name, global }) => name === node.name && !global)
  );
}

/** Whether a node's value is taken somewhere: assigned, passed, returned. */
function isValue(node: SyntaxNode, { file }: OperatorContext): boolean {
  const parent = file.parents.get(node);
  if (parent === undefined) return false;
  if (parent.type === 'VariableDeclarator') return parent.init === node;
  if (parent.type === 'AssignmentExpression') return parent.right === node && parent.operator === '=';
  if (parent.type === 'CallExpression') return parent.callee !== node;
  return parent.type === 'ReturnStatement';
}

export const absenceOperators: readonly Operator[] = [
  toNullish,
  checkPresence,
  chainOptionally,
  addDefault,
  changeDefault,
  leaveEarly,
];
