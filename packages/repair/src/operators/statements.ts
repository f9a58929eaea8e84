import { isFunction, nodeAt, nodesAt, type SyntaxNode, textOf } from '../parse-source.ts';
import type { Kind } from '../scope.ts';
import { functionAround, type Mutation, type Operator, type OperatorContext, replace } from './mutation.ts';

/*
 * Statements and copies. A forgotten await, return or break shows by its place alone, so there are few forms and their
 * priors are fair. A copy where an alias was taken is right only where somebody changes the original.
 */
const AWAIT = 0.3;
const RETURN_LAST = 0.3;
const RETURN_INNER = 0.15;
const BREAK_CASE = 0.5;
const LEAVE_LOOP = 0.12;
const COPY = 0.12;
const COPY_CHANGED = 0.3;
const BARE_OBJECT = 0.08;

/** A call in an async function whose promise is not waited for. */
const addAwait: Operator = (node, context) => {
  if (node.type !== 'CallExpression' || functionAround(context, node).async !== true) return [];
  const parent = context.file.parents.get(node);
  if (parent === undefined || /^(AwaitExpression|YieldExpression|ChainExpression)$/.test(parent.type)) return [];
  return [replace(context, node, `await ${textOf(context.file, node)}`, 'statements/await', AWAIT)];
};

/** A value that is computed at the end of a function, or of a branch, and not returned. */
const addReturn: Operator = (node, context) => {
  const expression = node.type === 'ExpressionStatement' ? nodeAt(node, 'expression') : undefined;
  const parent = context.file.parents.get(node);
  if (expression === undefined || parent === undefined || typeof node.directive === 'string') return [];
  if (/^(Assignment|Update)Expression$/.test(expression.type)) return [];
  const own = functionAround(context, node);
  if (!isFunction(own)) return [];
  const isLast = parent.type === 'BlockStatement' && nodesAt(parent, 'body').at(-1) === node;
  if (!isLast && parent.type !== 'IfStatement') return [];
  const prior = isLast && nodeAt(own, 'body') === parent ? RETURN_LAST : RETURN_INNER;
  return [
    {
      start: node.start,
      end: node.end,
      text: `return ${textOf(context.file, node)}`,
      operator: 'statements/return',
      prior,
    },
  ];
};

const ENDS = /^(Break|Continue|Return|Throw)Statement$/;

/** A case that runs on into the next one. */
const endCase: Operator = (node, { file }) => {
  const parent = file.parents.get(node);
  if (node.type !== 'SwitchCase' || parent === undefined) return [];
  const cases = nodesAt(parent, 'cases');
  const next = cases[cases.indexOf(node) + 1];
  const last = lastOf(nodesAt(node, 'consequent'));
  if (next === undefined || last === undefined || ENDS.test(last.type)) return [];
  const indent = indentAt(file.text, next.start);
  const text = `  break;\n${indent}`;
  return [{ start: next.start, end: next.start, text, operator: 'statements/break', prior: BREAK_CASE }];
};

function lastOf(statements: readonly SyntaxNode[]): SyntaxNode | undefined {
  const last = statements.at(-1);
  return last?.type === 'BlockStatement' ? lastOf(nodesAt(last, 'body')) : last;
}

/** A branch in a loop that should have been the last thing of its round, or of the loop. */
const leaveLoop: Operator = (node, { file }) => {
  const block = file.parents.get(node);
  const branch = block === undefined ? undefined : file.parents.get(block);
  if (block?.type !== 'BlockStatement' || branch?.type !== 'IfStatement' || branch.consequent !== block) return [];
  const statements = nodesAt(block, 'body');
  if (statements.at(-1) !== node || ENDS.test(node.type) || !isInLoop(branch, file.parents)) return [];
  const text = textOf(file, node);
  const indent = indentAt(file.text, node.start);
  return ['break', 'continue'].map((word): Mutation => {
    const after = `${text}${/[;}]$/.test(text) ? '' : ';'}\n${indent}${word};`;
    return { start: node.start, end: node.end, text: after, operator: 'statements/loop', prior: LEAVE_LOOP };
  });
};

function isInLoop(node: SyntaxNode, parents: ReadonlyMap<SyntaxNode, SyntaxNode>): boolean {
  for (let at = parents.get(node); at !== undefined && !isFunction(at); at = parents.get(at)) {
    if (/^(For|ForIn|ForOf|While|DoWhile)Statement$/.test(at.type)) return true;
  }
  return false;
}

function indentAt(text: string, offset: number): string {
  return /[^\S\n]*$/.exec(text.slice(0, offset))?.[0] ?? '';
}

const CHANGES_ITSELF = /^(sort|reverse|splice|fill|push|pop|shift|unshift)$/;

/** `x` to `[...x]` or `{ ...x }`, where a value is kept, passed on or changed in place. */
const copyValue: Operator = (node, context) => {
  const parent = context.file.parents.get(node);
  if (parent === undefined || !/^(Identifier|MemberExpression)$/.test(node.type)) return [];
  const text = textOf(context.file, node);
  if (isChanged(node, parent, context)) {
    return [replace(context, node, `[...${text}]`, 'statements/copy', COPY_CHANGED)];
  }
  if (!isKept(node, parent)) return [];
  return formsOf(context.scope.kindOf(node), text).map(({ form, sure }) =>
    replace(context, node, form, 'statements/copy', COPY * sure),
  );
};

function formsOf(kind: Kind, text: string): { readonly form: string; readonly sure: number }[] {
  const list = { form: `[...${text}]`, sure: kind === 'list' ? 1 : 0.4 };
  const object = { form: `{ ...${text} }`, sure: kind === 'object' ? 1 : 0.4 };
  if (kind === 'list') return [list];
  if (kind === 'object') return [object];
  return kind === 'unknown' ? [list, object] : [];
}

/** `x.sort()` as a value. */
function isChanged(node: SyntaxNode, parent: SyntaxNode, { file }: OperatorContext): boolean {
  if (parent.type !== 'MemberExpression' || parent.object !== node || parent.computed === true) return false;
  const call = file.parents.get(parent);
  if (call?.type !== 'CallExpression' || call.callee !== parent) return false;
  return (
    CHANGES_ITSELF.test(String(nodeAt(parent, 'property')?.name)) &&
    file.parents.get(call)?.type !== 'ExpressionStatement'
  );
}

function isKept(node: SyntaxNode, parent: SyntaxNode): boolean {
  if (parent.type === 'VariableDeclarator') return parent.init === node;
  if (parent.type === 'AssignmentExpression') return parent.right === node && parent.operator === '=';
  if (parent.type === 'Property') return parent.value === node && parent.shorthand !== true;
  if (parent.type === 'CallExpression') return parent.callee !== node;
  return parent.type === 'ReturnStatement';
}

/** `{}` as a map, which knows `constructor` and the like already; and what `Object.assign` changes. */
const cleanObject: Operator = (node, context) => {
  const parent = context.file.parents.get(node);
  if (node.type === 'ObjectExpression' && nodesAt(node, 'properties').length === 0 && parent !== undefined) {
    const kept = /^(VariableDeclarator|AssignmentExpression|ReturnStatement|PropertyDefinition)$/.test(parent.type);
    return kept ? [replace(context, node, 'Object.create(null)', 'statements/object', BARE_OBJECT)] : [];
  }
  const callee = node.type === 'CallExpression' ? nodeAt(node, 'callee') : undefined;
  const first = nodesAt(node, 'arguments')[0];
  if (callee === undefined || first === undefined || textOf(context.file, callee) !== 'Object.assign') return [];
  if (first.type === 'ObjectExpression') return [];
  const text = `{}, ${textOf(context.file, first)}`;
  return [{ start: first.start, end: first.end, text, operator: 'statements/copy', prior: COPY_CHANGED }];
};

export const statementOperators: readonly Operator[] = [
  addAwait,
  addReturn,
  endCase,
  leaveLoop,
  copyValue,
  cleanObject,
];
