import { parseSync } from 'oxc-parser';

/** One mutation of a module: [start, end) becomes `text`. */
export interface SourceMutation {
  readonly operator: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

const RELATIONAL = ['<', '<=', '>', '>=', '===', '!=='];
const ARITHMETIC = ['+', '-', '*', '/', '%'];

/**
 * All first-order mutants of a module by the usual operators of mutation testing, in the order of the text. They know
 * nothing of the operators with which repair works.
 */
export function mutationsOf(path: string, text: string): SourceMutation[] {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} does not parse: ${errors[0]?.message}`);
  const found: SourceMutation[] = [];
  visit(program as unknown as Node, (node) => {
    for (const [operator, start, end, replacement] of mutationsAt(node, text)) {
      if (text.slice(start, end) !== replacement) found.push({ operator, start, end, text: replacement });
    }
  });
  return found.filter(({ start, end, text: by }) => parses(path, text.slice(0, start) + by + text.slice(end)));
}

type Change = readonly [operator: string, start: number, end: number, text: string];

function mutationsAt(node: Node, text: string): Change[] {
  switch (node.type) {
    case 'BinaryExpression':
      return replaceOperator(node, text);
    case 'LogicalExpression':
      return betweenSides(node, text, node.operator === '&&' ? '||' : '&&', 'logical');
    case 'Literal':
      return literal(node);
    case 'IfStatement':
    case 'WhileStatement':
    case 'ConditionalExpression':
      return condition(node.test as Node, text);
    case 'ReturnStatement':
      return isNode(node.argument) ? [['return-value', node.argument.start, node.argument.end, 'undefined']] : [];
    case 'ExpressionStatement':
      return [['statement-deletion', node.start, node.end, ';']];
    case 'UpdateExpression':
      return [
        [
          'update',
          node.start,
          node.end,
          text.slice(node.start, node.end).replace(/\+\+|--/, (it) => (it === '++' ? '--' : '++')),
        ],
      ];
    case 'UnaryExpression':
      return /^[!-]$/.test(String(node.operator))
        ? [['unary-deletion', node.start, (node.argument as Node).start, '']]
        : [];
    case 'CallExpression':
      return swapArguments(node.arguments as Node[], text);
    default:
      return [];
  }
}

function replaceOperator(node: Node, text: string): Change[] {
  const operator = String(node.operator);
  const group = [RELATIONAL, ARITHMETIC].find((members) => members.includes(operator));
  if (group === undefined) return [];
  const kind = group === RELATIONAL ? 'relational' : 'arithmetic';
  return group.filter((other) => other !== operator).flatMap((other) => betweenSides(node, text, other, kind));
}

function betweenSides(node: Node, text: string, by: string, kind: string): Change[] {
  const [left, right] = [node.left as Node, node.right as Node];
  const between = text.slice(left.end, right.start);
  return [[kind, left.end, right.start, between.replace(String(node.operator), () => by)]];
}

function literal(node: Node): Change[] {
  const at = (value: string): Change => ['literal', node.start, node.end, value];
  if (typeof node.value === 'number')
    return [node.value + 1, node.value - 1, 0, 1].filter((n) => n >= 0).map((n) => at(String(n)));
  if (typeof node.value === 'boolean') return [at(String(!node.value))];
  return typeof node.value === 'string' ? [at(node.value === '' ? "'mutant'" : "''")] : [];
}

function condition(test: Node, text: string): Change[] {
  const inner = text.slice(test.start, test.end);
  const at = (value: string): Change => ['condition', test.start, test.end, value];
  return [at(`!(${inner})`), at('true'), at('false')];
}

function swapArguments(args: readonly Node[], text: string): Change[] {
  const [first, second] = args;
  if (first === undefined || second === undefined) return [];
  const [one, between, two] = [
    text.slice(first.start, first.end),
    text.slice(first.end, second.start),
    text.slice(second.start, second.end),
  ];
  return [['argument-swap', first.start, second.end, two + between + one]];
}

function parses(path: string, text: string): boolean {
  return parseSync(path, text).errors.length === 0;
}

function visit(node: Node, see: (node: Node) => void): void {
  see(node);
  for (const key in node) {
    // Names of modules are no values.
    if (key === 'source') continue;
    const value = node[key];
    if (Array.isArray(value)) for (const child of value.filter(isNode)) visit(child, see);
    else if (isNode(value)) visit(value, see);
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';
}
