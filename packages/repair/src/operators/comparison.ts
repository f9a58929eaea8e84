import { nodeAt, nodesIn, type SyntaxNode, textOf } from '../parse-source.ts';
import { listsAt, numbersAt, type Operator, type OperatorContext, operand, replace } from './mutation.ts';

/*
 * Comparison and boundary. Priors are orders of magnitude, not measurements: strictness of a comparison is the most
 * common one-token fix in published collections of small bugs; directions and equality come next; changes of a whole
 * condition are rarer, and each has many ways to be wrong.
 */
const STRICTNESS = 0.9;
const DIRECTION = 0.5;
const EQUALITY = 0.4;
const WIDEN = 0.45;
const CONNECTIVE = 0.3;
const NEGATE = 0.3;
const DROP_CLAUSE = 0.2;
const EMPTY_GUARD = 0.25;
const NULL_GUARD = 0.25;
const TRUTH = 0.3;
const TRUTH_BY_STATE = 0.12;
const ENDLESS_LOOP = 0.3;

const RELATIONS: Readonly<Record<string, readonly [string, number][]>> = {
  '<': [
    ['<=', STRICTNESS],
    ['>', DIRECTION],
    ['>=', DIRECTION * 0.6],
    ['!==', 0.1],
  ],
  '<=': [
    ['<', STRICTNESS],
    ['>=', DIRECTION],
    ['>', DIRECTION * 0.6],
  ],
  '>': [
    ['>=', STRICTNESS],
    ['<', DIRECTION],
    ['<=', DIRECTION * 0.6],
    ['!==', 0.1],
  ],
  '>=': [
    ['>', STRICTNESS],
    ['<=', DIRECTION],
    ['<', DIRECTION * 0.6],
  ],
  '===': [['!==', EQUALITY]],
  '!==': [['===', EQUALITY]],
  '==': [
    ['!=', EQUALITY],
    ['===', 0.15],
  ],
  '!=': [
    ['==', EQUALITY],
    ['!==', 0.15],
  ],
};

/** `<` to `<=` and the like. */
const changeRelation: Operator = (node, context) => {
  if (node.type !== 'BinaryExpression') return [];
  const left = textOf(context.file, node.left as SyntaxNode);
  const right = textOf(context.file, node.right as SyntaxNode);
  const changes = RELATIONS[String(node.operator)] ?? [];
  return changes.map(([operator, prior]) =>
    replace(context, node, `${left} ${operator} ${right}`, 'comparison/relation', prior),
  );
};

/** An exact border that misses what lies beyond it: `n === 0` to `n <= 0`, `list.length === 0` to `<= 1`. */
const widenBoundary: Operator = (node, context) => {
  const limit = nodeAt(node, 'right');
  if (node.type !== 'BinaryExpression' || typeof limit?.value !== 'number') return [];
  const subject = node.left as SyntaxNode;
  if (context.scope.kindOf(subject) !== 'number') return [];
  const left = textOf(context.file, subject);
  const forms: Record<string, string[]> = {
    '===': [`<= ${limit.value}`, `<= ${limit.value + 1}`, `>= ${limit.value}`],
    '!==': [`> ${limit.value}`, `> ${limit.value + 1}`, `< ${limit.value}`],
  };
  const found = forms[String(node.operator).padEnd(3, '=')] ?? [];
  return found.map((form) => replace(context, node, `${left} ${form}`, 'comparison/boundary', WIDEN));
};

/** `&&` and `||` for each other, and either side alone. */
const changeConnective: Operator = (node, context) => {
  if (node.type !== 'LogicalExpression') return [];
  const left = textOf(context.file, node.left as SyntaxNode);
  const right = textOf(context.file, node.right as SyntaxNode);
  const other: Record<string, string> = { '&&': '||', '||': '&&', '??': '||' };
  const operator = other[String(node.operator)] ?? '||';
  return [
    replace(
      context,
      node,
      `${operand(context, node.left as SyntaxNode)} ${operator} ${operand(context, node.right as SyntaxNode)}`,
      'comparison/connective',
      CONNECTIVE,
    ),
    replace(context, node, left, 'comparison/clause', DROP_CLAUSE),
    replace(context, node, right, 'comparison/clause', DROP_CLAUSE),
  ];
};

/** The opposite of a condition. A comparison has it by its operator already. */
const negateCondition: Operator = (node, context) => {
  if (node.type === 'UnaryExpression' && node.operator === '!') {
    return [replace(context, node, textOf(context.file, node.argument as SyntaxNode), 'comparison/negation', NEGATE)];
  }
  const opposite = node.type === 'BinaryExpression' && !/^(in|instanceof)$/.test(String(node.operator));
  if (!isCondition(node, context) || opposite || node.type === 'Literal') return [];
  return [replace(context, node, `!${operand(context, node)}`, 'comparison/negation', NEGATE)];
};

/** A base case that forgets the empty list, in functions that take lists apart. */
const guardEmpty: Operator = (node, context) => {
  if (!isCondition(node, context) || parentType(node, context) === 'ConditionalExpression') return [];
  const condition = operandOfOr(context, node);
  const known = textOf(context.file, node);
  const lists = context.scope.visibleAt(node).filter(({ kind, global }) => kind === 'list' && !global);
  return lists
    .filter(({ name }) => !known.includes(`${name}.length`))
    .flatMap(({ name, parameter }) => [
      replace(
        context,
        node,
        `${condition} || ${name}.length === 0`,
        'comparison/empty',
        parameter ? EMPTY_GUARD : EMPTY_GUARD * 0.5,
      ),
      replace(context, node, `${condition} && ${name}.length > 0`, 'comparison/empty', EMPTY_GUARD * 0.5),
    ]);
};

/** A condition that looks into something that may be absent. */
const guardNull: Operator = (node, context) => {
  if (!isCondition(node, context)) return [];
  const objects = new Set<string>();
  for (const inner of nodesIn(node)) {
    const object = inner.type === 'MemberExpression' ? nodeAt(inner, 'object') : undefined;
    if (object !== undefined && /^(Identifier|MemberExpression)$/.test(object.type))
      objects.add(textOf(context.file, object));
  }
  const condition = operandOfOr(context, node);
  return [...objects]
    .slice(0, 4)
    .flatMap((object) => [
      replace(context, node, `${object} == null || ${condition}`, 'comparison/absent', NULL_GUARD),
      replace(context, node, `${object} != null && ${condition}`, 'comparison/absent', NULL_GUARD),
    ]);
};

/** `while (true)` over a work list ends when the list is empty. */
const endLoop: Operator = (node, context) => {
  const parent = context.file.parents.get(node);
  if (parent?.type !== 'WhileStatement' || parent.test !== node) return [];
  const lists = listsAt(context, node).map(({ name }) => `${name}.length > 0`);
  if (node.type === 'Literal')
    return lists.map((text) => replace(context, node, text, 'comparison/loop', ENDLESS_LOOP));
  return [];
};

/** `true` and `false` for each other; as a result also what a counter or a list says. */
const changeTruth: Operator = (node, context) => {
  if (node.type !== 'Literal' || typeof node.value !== 'boolean') return [];
  const flipped = replace(context, node, String(!node.value), 'comparison/truth', TRUTH);
  if (parentType(node, context) !== 'ReturnStatement') return [flipped];
  const sign = node.value ? '===' : '!==';
  const states = [
    ...numbersAt(context, node).map(({ name }) => `${name} ${sign} 0`),
    ...listsAt(context, node).map(({ name }) => `${name}.length ${sign} 0`),
  ];
  return [flipped, ...states.map((text) => replace(context, node, text, 'comparison/truth', TRUTH_BY_STATE))];
};

/** Whether a node decides which way the program goes. */
function isCondition(node: SyntaxNode, { file }: OperatorContext): boolean {
  const parent = file.parents.get(node);
  if (parent === undefined) return false;
  if (/^(If|While|DoWhile|For)Statement$|^ConditionalExpression$/.test(parent.type)) return parent.test === node;
  return false;
}

function parentType(node: SyntaxNode, { file }: OperatorContext): string {
  return file.parents.get(node)?.type ?? '';
}

/** A text that may stand beside `||` or `&&`. */
function operandOfOr(context: OperatorContext, node: SyntaxNode): string {
  const text = textOf(context.file, node);
  return /^(Logical|Conditional|Assignment|Sequence|Arrow)/.test(node.type) ? `(${text})` : text;
}

export const comparisonOperators: readonly Operator[] = [
  changeRelation,
  widenBoundary,
  changeConnective,
  negateCondition,
  guardEmpty,
  guardNull,
  endLoop,
  changeTruth,
];
