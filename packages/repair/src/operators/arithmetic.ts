import { ancestorsOf, nodeAt, nodesAt, type SyntaxNode, textOf } from '../parse-source.ts';
import { type Mutation, numbersAt, type Operator, type OperatorContext, operand, replace } from './mutation.ts';

/*
 * Arithmetic and off by one. Off-by-one at an index, a bound or an argument is the classic; operators within one group
 * (sum, product, bits) are mistaken for each other more often than across groups; wrapping in max or min repairs an
 * update that forgets its old value or its floor; new terms are a last resort with many ways to be wrong.
 */
const WITHIN_GROUP = 0.5;
const ACROSS_GROUPS = 0.15;
const INDEX_STEP = 0.5;
const ARGUMENT_STEP = 0.45;
const LENGTH_STEP = 0.45;
const TEMPLATE_STEP = 0.45;
const OPERAND_STEP = 0.3;
const LITERAL_STEP = 0.4;
const RESULT_STEP = 0.25;
const ORDER = 0.35;
const DROP = 0.35;
const KEEP_EXTREME = 0.3;
const FLOOR = 0.25;
const UNWRAP = 0.2;
const SQUARE = 0.12;
const NEW_TERM = 0.12;
const ASSIGNMENT = 0.25;
const UPDATE = 0.4;
const REGROUP = 0.25;

const GROUPS: readonly (readonly string[])[] = [
  ['+', '-'],
  ['*', '/', '%', '**'],
  ['&', '|', '^'],
  ['<<', '>>', '>>>'],
];

/** Other operators in place of one, those of its own group first. */
function otherOperators(operator: string): [string, number][] {
  const group = GROUPS.find((members) => members.includes(operator));
  if (group === undefined) return [];
  const near = group.filter((other) => other !== operator).map((other): [string, number] => [other, WITHIN_GROUP]);
  const arithmetic = ['+', '-', '*', '/', '%'].filter((other) => !group.includes(other));
  const far = GROUPS.indexOf(group) < 2 ? arithmetic.map((other): [string, number] => [other, ACROSS_GROUPS]) : [];
  return [...near, ...far];
}

/** `+` to `-`, `^=` to `&=`. */
const changeArithmetic: Operator = (node, context) => {
  if (node.type === 'BinaryExpression') {
    const left = operand(context, node.left as SyntaxNode);
    const right = operand(context, node.right as SyntaxNode);
    if (context.scope.kindOf(node) === 'string') return [];
    return otherOperators(String(node.operator)).map(([operator, prior]) =>
      replace(context, node, `${left} ${operator} ${right}`, 'arithmetic/operator', prior),
    );
  }
  if (node.type !== 'AssignmentExpression') return [];
  const operator = String(node.operator);
  const left = textOf(context.file, node.left as SyntaxNode);
  const right = textOf(context.file, node.right as SyntaxNode);
  const compound = otherOperators(operator.slice(0, -1)).map(([other, prior]): [string, number] => [
    `${other}=`,
    prior,
  ]);
  const plain: [string, number][] = operator === '=' ? assignable(context, node) : [['=', ASSIGNMENT]];
  return [...compound, ...plain].map(([other, prior]) =>
    replace(context, node, `${left} ${other} ${right}`, 'arithmetic/assignment', prior),
  );
};

function assignable(context: OperatorContext, node: SyntaxNode): [string, number][] {
  const kind = context.scope.kindOf(node.left as SyntaxNode);
  return kind === 'number' || kind === 'string' ? [['+=', ASSIGNMENT]] : [];
}

const changeUpdate: Operator = (node, context) => {
  if (node.type !== 'UpdateExpression') return [];
  const argument = textOf(context.file, node.argument as SyntaxNode);
  const other = node.operator === '++' ? '--' : '++';
  const text = node.prefix === true ? `${other}${argument}` : `${argument}${other}`;
  return [replace(context, node, text, 'arithmetic/update', UPDATE)];
};

/** One more or one less, where counting goes wrong. */
const stepByOne: Operator = (node, context) => {
  const prior = stepPrior(node, context);
  if (prior === 0) return [];
  if (node.type === 'Literal' && typeof node.value === 'number') return stepLiteral(node, node.value, context, prior);
  const text = operand(context, node, '+');
  const simplified = withoutStep(node, context);
  return [
    ...simplified.map((inner) => replace(context, node, inner, 'arithmetic/step', prior)),
    replace(context, node, `${text} + 1`, 'arithmetic/step', prior),
    replace(context, node, `${text} - 1`, 'arithmetic/step', prior),
  ];
};

function stepLiteral(node: SyntaxNode, value: number, context: OperatorContext, prior: number): Mutation[] {
  if (!Number.isInteger(value)) return [];
  const values = value === 0 ? [1, -1] : [value + 1, value - 1];
  return values.map((next) => replace(context, node, String(next), 'arithmetic/step', prior));
}

/** `x - 1` loses its step: `x`. */
function withoutStep(node: SyntaxNode, context: OperatorContext): string[] {
  if (node.type !== 'BinaryExpression' || !/^[-+]$/.test(String(node.operator))) return [];
  return nodeAt(node, 'right')?.value === 1 ? [textOf(context.file, node.left as SyntaxNode)] : [];
}

function stepPrior(node: SyntaxNode, context: OperatorContext): number {
  const parent = context.file.parents.get(node);
  if (parent === undefined || isStringly(node, context)) return 0;
  const isLiteral = node.type === 'Literal' && typeof node.value === 'number';
  const counts = isLiteral || context.scope.kindOf(node) === 'number';
  switch (parent.type) {
    case 'MemberExpression':
      return parent.computed === true && parent.property === node && counts ? INDEX_STEP : 0;
    case 'CallExpression':
    case 'NewExpression':
      return nodesAt(parent, 'arguments').includes(node) && counts ? ARGUMENT_STEP : 0;
    case 'TemplateLiteral':
      return counts ? TEMPLATE_STEP : 0;
    case 'BinaryExpression':
      return binaryStep(node, parent, counts, context);
    case 'ReturnStatement':
    case 'YieldExpression':
    case 'ArrowFunctionExpression':
      return counts && parent.id !== node ? RESULT_STEP : 0;
    case 'VariableDeclarator':
      return parent.init === node && counts ? (isLiteral ? LITERAL_STEP : RESULT_STEP) : 0;
    case 'AssignmentExpression':
      return parent.right === node && counts ? (isLiteral ? LITERAL_STEP : RESULT_STEP) : 0;
    default:
      return isLiteral ? OPERAND_STEP : 0;
  }
}

function binaryStep(node: SyntaxNode, parent: SyntaxNode, counts: boolean, context: OperatorContext): number {
  if (node.type === 'Literal') return counts ? LITERAL_STEP : 0;
  // Of two operands the right one is enough: both give the same change, seen from the other side.
  const compares = /^[<>]=?$/.test(String(parent.operator));
  if (!counts && !(compares && context.scope.kindOf(node) === 'unknown')) return 0;
  return compares ? LENGTH_STEP : parent.right === node || isIndex(parent, context) ? OPERAND_STEP : OPERAND_STEP * 0.5;
}

function isIndex(node: SyntaxNode, context: OperatorContext): boolean {
  const parent = context.file.parents.get(node);
  return parent?.type === 'MemberExpression' && parent.property === node;
}

function isStringly(node: SyntaxNode, context: OperatorContext): boolean {
  const kind = context.scope.kindOf(node);
  return kind !== 'number' && kind !== 'unknown';
}

/** `a - b` to `b - a`; for `+` only where order matters, as in texts; there `a + b + c` to `c + b + a` too. */
const swapOperands: Operator = (node, context) => {
  if (node.type !== 'BinaryExpression') return [];
  const operator = String(node.operator);
  const [left, right] = [node.left as SyntaxNode, node.right as SyntaxNode];
  const sums = context.scope.kindOf(left) === 'number' && context.scope.kindOf(right) === 'number';
  if (!/^(-|\/|%|\*\*|<<|>>>?)$/.test(operator) && (operator !== '+' || sums)) return [];
  const swapped = [`${operand(context, right, operator)} ${operator} ${operand(context, left)}`];
  if (operator === '+' && left.type === 'BinaryExpression' && left.operator === '+') {
    const parts = [right, left.right as SyntaxNode, left.left as SyntaxNode];
    swapped.push(parts.map((part) => operand(context, part)).join(' + '));
  }
  return swapped.map((text) => replace(context, node, text, 'arithmetic/order', ORDER));
};

/** One operand too many: `1 + f(x)` to `f(x)`. */
const dropOperand: Operator = (node, context) => {
  if (node.type !== 'BinaryExpression' || !/^(\+|-|\*|\/|%|\*\*|[&|^]|<<|>>>?)$/.test(String(node.operator))) return [];
  const left = textOf(context.file, node.left as SyntaxNode);
  const right = textOf(context.file, node.right as SyntaxNode);
  return [
    replace(context, node, left, 'arithmetic/operand', DROP),
    replace(context, node, right, 'arithmetic/operand', /^[+*]$/.test(String(node.operator)) ? DROP : DROP * 0.5),
  ];
};

/** An assigned number that must not fall behind its old value, or below zero. */
const keepExtreme: Operator = (node, context) => {
  const parent = context.file.parents.get(node);
  if (parent === undefined || isStringly(node, context) || node.type === 'Literal') return [];
  const text = textOf(context.file, node);
  const assigned = parent.type === 'AssignmentExpression' && parent.operator === '=' && parent.right === node;
  const declared = parent.type === 'VariableDeclarator' && parent.init === node;
  const returned = parent.type === 'ReturnStatement';
  if (!(assigned || declared || returned)) return [];
  if (context.scope.kindOf(node) !== 'number' && !(assigned && node.type === 'Identifier')) return [];
  const floor = [replace(context, node, `Math.max(0, ${text})`, 'arithmetic/extreme', assigned ? FLOOR : FLOOR * 0.5)];
  if (!assigned) return floor;
  const target = textOf(context.file, parent.left as SyntaxNode);
  const keep = ['max', 'min'].map((name) =>
    replace(context, node, `Math.${name}(${target}, ${text})`, 'arithmetic/extreme', KEEP_EXTREME),
  );
  return [...keep, ...floor];
};

/** `Math.max(a, b)` to either argument. */
const dropExtreme: Operator = (node, context) => {
  const callee = node.type === 'CallExpression' ? nodeAt(node, 'callee') : undefined;
  if (callee === undefined || !/^Math\.(max|min|abs|floor|ceil|round|trunc)$/.test(textOf(context.file, callee)))
    return [];
  const args = nodesAt(node, 'arguments').filter((argument) => argument.type !== 'SpreadElement');
  return args.map((argument) => replace(context, node, textOf(context.file, argument), 'arithmetic/extreme', UNWRAP));
};

/** A quantity compared or combined in the wrong power. */
const square: Operator = (node, context) => {
  const parent = context.file.parents.get(node);
  const isOperand = parent?.type === 'BinaryExpression' && /^([-+*/<>]|[<>]=)$/.test(String(parent.operator));
  if (node.type !== 'Identifier' || !isOperand || context.scope.kindOf(node) !== 'number') return [];
  const name = textOf(context.file, node);
  return [{ ...replace(context, node, `${name} * ${name}`, 'arithmetic/power', SQUARE) }];
};

/** A term that is missing: `n` to `n - k`, for numbers at hand. */
const addTerm: Operator = (node, context) => {
  const parent = context.file.parents.get(node);
  if (parent === undefined || !/^(Identifier|CallExpression|MemberExpression)$/.test(node.type)) return [];
  const place =
    (parent.type === 'CallExpression' && nodesAt(parent, 'arguments').includes(node)) ||
    (parent.type === 'AssignmentExpression' && parent.right === node && parent.operator === '=') ||
    (parent.type === 'VariableDeclarator' && parent.init === node) ||
    parent.type === 'ReturnStatement' ||
    parent.type === 'TemplateLiteral';
  if (!place || context.scope.kindOf(node) !== 'number') return [];
  const text = textOf(context.file, node);
  const own = [...ancestorsOf(context.file, node)].find((outer) => outer.type === 'VariableDeclarator');
  const terms = numbersAt(context, node).filter(
    ({ name }) => name !== text && nodeAt(own ?? node, 'id')?.name !== name,
  );
  return terms
    .slice(0, 6)
    .flatMap(({ name }) => [
      replace(context, node, `${text} - ${name}`, 'arithmetic/term', NEW_TERM),
      replace(context, node, `${text} + ${name}`, 'arithmetic/term', NEW_TERM),
    ]);
};

/** `a + b >> 1` to `a + (b >> 1)`: what binds tighter was meant the other way round. */
const regroup: Operator = (node, context) => {
  const left = nodeAt(node, 'left');
  if (node.type !== 'BinaryExpression' || left === undefined) return [];
  const inner = left.type === 'ParenthesizedExpression' ? nodeAt(left, 'expression') : left;
  const known = GROUPS.flat();
  if (inner?.type !== 'BinaryExpression' || inner.operator === node.operator) return [];
  if (!known.includes(String(node.operator)) || !known.includes(String(inner.operator))) return [];
  const [first, second] = [operand(context, inner.left as SyntaxNode), operand(context, inner.right as SyntaxNode)];
  const third = operand(context, node.right as SyntaxNode);
  const text = `${first} ${String(inner.operator)} (${second} ${String(node.operator)} ${third})`;
  return [replace(context, node, text, 'arithmetic/grouping', REGROUP)];
};

export const arithmeticOperators: readonly Operator[] = [
  regroup,
  changeArithmetic,
  changeUpdate,
  stepByOne,
  swapOperands,
  dropOperand,
  keepExtreme,
  dropExtreme,
  square,
  addTerm,
];
