import { nodeAt, nodesAt, nodesIn, type SyntaxNode, textOf } from '../parse-source.ts';
import {
  fits,
  functionAround,
  isVariableUse,
  type Mutation,
  numbersAt,
  type Operator,
  type OperatorContext,
  replace,
} from './mutation.ts';

/*
 * Names and arguments. A wrong variable is usually a neighbour of the right one: of a fitting kind, in the same
 * function, so priors fall with distance. Swapped arguments and a call too many are single known slips; changes that
 * bring in a new call or a new part of a list are rarer.
 */
const NEIGHBOUR = 0.45;
const UNSURE_KIND = 0.7;
/** A wrong target loses one value and overwrites another: without a reason in the kinds it is a rare slip. */
const UNSURE_TARGET = 0.2;
const FARTHER = 0.5;
const GLOBAL = 0.3;
const SWAP_ARGUMENTS = 0.4;
const CALL_TO_ARGUMENT = 0.4;
const DROP_ARGUMENT = 0.15;
const CALL_TO_VARIABLE = 0.2;
const PLACE = 0.25;
const PROPERTY = 0.3;
const METHOD = 0.35;
const PART_OF_LIST = 0.2;
const LITERAL = 0.15;
const MEMBER_TO_OBJECT = 0.1;
const LIST_LITERAL = 0.2;

/** A variable for another one that is visible and of a fitting kind. */
const changeVariable: Operator = (node, context) => {
  if (!isVariableUse(context.file, node)) return [];
  const kind = context.scope.kindOf(node);
  const written = isTarget(node, context);
  return context.scope.visibleAt(node).flatMap((other) => {
    if (other.name === node.name || !fits(kind, other.kind)) return [];
    if ((kind === 'function') !== (other.kind === 'function') || (written && other.global)) return [];
    const near = other.global ? GLOBAL : FARTHER ** other.distance;
    const unsure = written ? UNSURE_TARGET : UNSURE_KIND;
    const sure = kind === other.kind && kind !== 'unknown' ? 1 : unsure;
    return [replace(context, node, other.name, 'names/variable', NEIGHBOUR * near * sure)];
  });
};

function isTarget(node: SyntaxNode, { file }: OperatorContext): boolean {
  const parent = file.parents.get(node);
  return (parent?.type === 'AssignmentExpression' && parent.left === node) || parent?.type === 'UpdateExpression';
}

/** Two arguments of one call for each other, one left out, or the call replaced by what it is given. */
const changeArguments: Operator = (node, context) => {
  if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return [];
  const args = nodesAt(node, 'arguments');
  const mutations: Mutation[] = [];
  for (let first = 0; first < args.length; first += 1) {
    for (let second = first + 1; second < args.length; second += 1) {
      mutations.push(swapNodes(context, args[first], args[second], 'names/argument-order', SWAP_ARGUMENTS));
    }
  }
  for (const argument of args) {
    if (argument.type === 'SpreadElement' || isFunctionNode(argument)) continue;
    mutations.push(replace(context, node, textOf(context.file, argument), 'names/call-to-argument', CALL_TO_ARGUMENT));
  }
  if (args.length > 1) {
    const kept = args.slice(0, -1);
    const last = kept.at(-1);
    if (last !== undefined) {
      mutations.push({
        start: last.end,
        end: args.at(-1)?.end ?? last.end,
        text: '',
        operator: 'names/argument-count',
        prior: DROP_ARGUMENT,
      });
    }
  }
  const rotated = args.length === 2 ? reusedArguments(node, args, context) : [];
  return [...mutations.filter((mutation) => mutation.end > mutation.start), ...rotated];
};

/** In a call of two arguments of which one is computed from the other: both orders and roles, `f(a % b, b)` to `f(b, a % b)` is the swap. */
function reusedArguments(node: SyntaxNode, args: readonly SyntaxNode[], context: OperatorContext): Mutation[] {
  const [first, second] = args;
  if (first === undefined || second === undefined || node.type !== 'CallExpression') return [];
  const one = textOf(context.file, first);
  return [{ start: second.start, end: second.end, text: one, operator: 'names/argument', prior: DROP_ARGUMENT }];
}

function isFunctionNode(node: SyntaxNode): boolean {
  return node.type === 'ArrowFunctionExpression' || node.type === 'FunctionExpression';
}

function swapNodes(
  { file }: OperatorContext,
  first: SyntaxNode | undefined,
  second: SyntaxNode | undefined,
  operator: string,
  prior: number,
): Mutation {
  if (first === undefined || second === undefined) return { start: 0, end: 0, text: '', operator, prior: 0 };
  const between = file.text.slice(first.end, second.start);
  const text = `${textOf(file, second)}${between}${textOf(file, first)}`;
  return { start: first.start, end: second.end, text, operator, prior };
}

/** A number that is computed again where a variable holds it already. */
const callToVariable: Operator = (node, context) => {
  const parent = context.file.parents.get(node);
  if (node.type !== 'CallExpression' || parent === undefined) return [];
  const used = /^(BinaryExpression|ReturnStatement|ArrayExpression|YieldExpression|CallExpression)$/.test(parent.type);
  if (!used || parent.callee === node) return [];
  const kind = parent.type === 'BinaryExpression' ? 'number' : context.scope.kindOf(node);
  return context.scope
    .visibleAt(node)
    .filter((other) => !other.global && other.kind !== 'function' && fits(kind, other.kind) && other.distance === 0)
    .map((other) =>
      replace(
        context,
        node,
        other.name,
        'names/call-to-variable',
        other.kind === kind ? CALL_TO_VARIABLE : CALL_TO_VARIABLE * 0.6,
      ),
    );
};

/** `a[i]` for another such place of the same function: object and index change together. */
const changePlace: Operator = (node, context) => {
  if (node.type !== 'MemberExpression' || node.computed !== true) return [];
  const own = textOf(context.file, node);
  const others = new Set<string>();
  for (const inner of nodesIn(functionAround(context, node))) {
    if (inner.type === 'MemberExpression' && inner.computed === true && inner !== node)
      others.add(textOf(context.file, inner));
  }
  others.delete(own);
  const visible = new Set(context.scope.visibleAt(node).map(({ name }) => name));
  return [...others]
    .filter((text) =>
      (text.match(/[A-Za-z_$][\w$]*/g) ?? []).every((name) => visible.has(name) || text.includes(`.${name}`)),
    )
    .slice(0, 8)
    .map((text) => replace(context, node, text, 'names/place', PLACE));
};

const METHODS: readonly (readonly string[])[] = [
  ['push', 'unshift'],
  ['pop', 'shift'],
  ['some', 'every'],
  ['min', 'max'],
  ['floor', 'ceil', 'round', 'trunc'],
  ['indexOf', 'lastIndexOf'],
  ['find', 'findLast'],
  ['findIndex', 'findLastIndex'],
  ['keys', 'values', 'entries'],
  ['startsWith', 'endsWith', 'includes'],
  ['padStart', 'padEnd'],
  ['trimStart', 'trimEnd', 'trim'],
  ['toUpperCase', 'toLowerCase'],
  ['map', 'flatMap', 'filter'],
  ['reduce', 'reduceRight'],
  ['add', 'delete'],
  ['slice', 'substring', 'splice'],
  ['substring', 'substr'],
  ['replace', 'replaceAll'],
  ['charCodeAt', 'codePointAt'],
  ['getDate', 'getDay'],
  ['getUTCDate', 'getUTCDay'],
  ['push', 'concat'],
];

/** A method for its sibling, a property for another one that the module uses in the same way. */
const changeProperty: Operator = (node, context) => {
  const property = nodeAt(node, 'property');
  if (node.type !== 'MemberExpression' || node.computed === true || property?.type !== 'Identifier') return [];
  const name = String(property.name);
  const siblings = METHODS.filter((group) => group.includes(name))
    .flat()
    .filter((other) => other !== name);
  // The groups name opposites first: these are mistaken for each other most.
  if (siblings.length > 0) {
    return siblings.map((other, index) => rename(property, other, 'names/method', METHOD * 0.95 ** index));
  }
  const called = context.file.parents.get(node)?.callee === node;
  // Properties that the module uses on the same object come first.
  const same = knownProperties(context, called, textOf(context.file, node.object as SyntaxNode));
  const others = new Set([...same, ...knownProperties(context, called)]);
  others.delete(name);
  return [...others].slice(0, 8).map((other) => rename(property, other, 'names/property', PROPERTY));
};

function rename(node: SyntaxNode, text: string, operator: string, prior: number): Mutation {
  return { start: node.start, end: node.end, text, operator, prior };
}

/** Names of properties that the tests' data has, or that the module itself uses, apart from those of lists, texts and maps. */
function knownProperties({ file, dataNames }: OperatorContext, called: boolean, object?: string): Set<string> {
  const names = new Set<string>(called || object !== undefined ? [] : dataNames);
  for (const node of nodesIn(file.program)) {
    const property = nodeAt(node, 'property');
    if (node.type !== 'MemberExpression' || node.computed === true || property === undefined) continue;
    if (object !== undefined && textOf(file, node.object as SyntaxNode) !== object) continue;
    const name = String(property.name);
    const builtIn =
      name in Array.prototype ||
      name in String.prototype ||
      name in Map.prototype ||
      name in Set.prototype ||
      name in Math;
    if (!builtIn && (file.parents.get(node)?.callee === node) === called) names.add(name);
  }
  return names;
}

/** A list from a later start: all of it where only the rest is due. Or no start where one was given. */
const changePart: Operator = (node, context) => {
  const callee = node.type === 'CallExpression' ? nodeAt(node, 'callee') : undefined;
  const method = callee === undefined ? undefined : nodeAt(callee, 'property')?.name;
  const object = callee === undefined ? undefined : nodeAt(callee, 'object');
  if (method === 'slice' && object !== undefined) {
    return [replace(context, node, textOf(context.file, object), 'names/part', PART_OF_LIST)];
  }
  if (!isVariableUse(context.file, node) || !takesList(node, context)) return [];
  const kind = context.scope.kindOf(node);
  if (kind !== 'list' && kind !== 'string') return [];
  const starts = [
    '1',
    ...numbersAt(context, node)
      .filter(({ distance }) => distance === 0)
      .map(({ name }) => name),
  ];
  const name = textOf(context.file, node);
  return starts
    .slice(0, 5)
    .map((start) => replace(context, node, `${name}.slice(${start})`, 'names/part', PART_OF_LIST));
};

function takesList(node: SyntaxNode, { file }: OperatorContext): boolean {
  const parent = file.parents.get(node);
  if (parent === undefined) return false;
  if (parent.type === 'ForOfStatement') return parent.right === node;
  return parent.type === 'SpreadElement' || (/^(Call|New)Expression$/.test(parent.type) && parent.callee !== node);
}

/** A fixed number or text where a variable is due, or another one of those that the function has. */
const changeLiteral: Operator = (node, context) => {
  const kind = node.type === 'Literal' ? context.scope.kindOf(node) : 'unknown';
  if (kind !== 'number' && kind !== 'string') return [];
  const parent = context.file.parents.get(node);
  if (parent === undefined || /^(Import|Export|Property$|ExpressionStatement)/.test(parent.type)) return [];
  const variables = context.scope
    .visibleAt(node)
    .filter((other) => fits(kind, other.kind) && !other.global && other.distance === 0)
    .map((other) => ({ text: other.name, sure: other.kind === kind ? 1 : UNSURE_KIND }));
  const literals = [...nodesIn(functionAround(context, node))]
    .filter((other) => other.type === 'Literal' && context.scope.kindOf(other) === kind)
    .map((other) => ({ text: textOf(context.file, other), sure: 1 }));
  return [...variables, ...literals]
    .filter(({ text }) => text !== textOf(context.file, node))
    .map(({ text, sure }) => replace(context, node, text, 'names/literal', LITERAL * sure));
};

/** `grid[a][b]` to `grid[b][a]`. */
const swapPlaces: Operator = (node, context) => {
  const inner = node.type === 'MemberExpression' ? nodeAt(node, 'object') : undefined;
  if (node.computed !== true || inner?.type !== 'MemberExpression' || inner.computed !== true) return [];
  const [first, second] = [nodeAt(inner, 'property'), nodeAt(node, 'property')];
  return [swapNodes(context, first, second, 'names/place', PLACE)];
};

/** `x.part` to `x`: one step too deep. */
const memberToObject: Operator = (node, context) => {
  const parent = context.file.parents.get(node);
  if (node.type !== 'MemberExpression' || parent === undefined || parent.callee === node || parent.left === node)
    return [];
  return [replace(context, node, textOf(context.file, node.object as SyntaxNode), 'names/member', MEMBER_TO_OBJECT)];
};

/** An empty list as a result: with one element, or one empty list. */
const fillList: Operator = (node, context) => {
  const parent = context.file.parents.get(node);
  if (node.type !== 'ArrayExpression' || nodesAt(node, 'elements').length > 0 || parent === undefined) return [];
  if (!/^(ReturnStatement|VariableDeclarator|ConditionalExpression|ArrowFunctionExpression)$/.test(parent.type))
    return [];
  const names = context.scope
    .visibleAt(node)
    .filter((other) => !other.global && other.kind !== 'function' && other.distance === 0);
  const items = ['[]', ...names.map(({ name }) => name)];
  return items.slice(0, 6).map((item) => replace(context, node, `[${item}]`, 'names/list', LIST_LITERAL));
};

export const nameOperators: readonly Operator[] = [
  changeVariable,
  changeArguments,
  callToVariable,
  changePlace,
  changeProperty,
  changePart,
  changeLiteral,
  swapPlaces,
  memberToObject,
  fillList,
];
