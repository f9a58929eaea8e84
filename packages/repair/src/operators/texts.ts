import { nodeAt, nodesAt, type SyntaxNode, textOf } from '../parse-source.ts';
import { type Mutation, type Operator, type OperatorContext, replace } from './mutation.ts';

/*
 * Texts and patterns. A pattern without its anchor, or with the wrong flag or greediness, is the usual slip in regular
 * expressions; `indexOf` taken for a truth is one of the oldest in the language.
 */
const FLAG = 0.25;
const ANCHOR = 0.25;
const GREEDY = 0.25;
const QUANTIFIER = 0.2;
const ESCAPE = 0.3;
const FOUND = 0.5;
const DROP_CALL = 0.12;
const ADD_CALL = 0.06;
const MOST_PLACES = 4;

/** Flags, anchors, greediness, quantifiers and dots of a regular expression. */
const changePattern: Operator = (node, context) => {
  const regex = node.type === 'Literal' ? (node.regex as { pattern: string; flags: string } | undefined) : undefined;
  if (regex === undefined) return [];
  const { pattern, flags } = regex;
  const make = (source: string, marks: string, rule: string, prior: number): Mutation[] => {
    if (!isPattern(source, marks) || (source === pattern && marks === flags)) return [];
    return [replace(context, node, `/${source}/${marks}`, `texts/${rule}`, prior)];
  };
  return [
    ...['g', 'i', 'm', 's', 'u'].flatMap((flag) =>
      make(
        pattern,
        flags.includes(flag) ? flags.replace(flag, '') : flags + flag,
        'flag',
        flag === 'g' || flag === 'i' ? FLAG : FLAG * 0.4,
      ),
    ),
    ...anchored(pattern).flatMap((source) => make(source, flags, 'anchor', ANCHOR)),
    ...placesOf(pattern, /[+*](?!\?)/g).flatMap(({ at, text }) => [
      ...make(spliced(pattern, at, 1, `${text}?`), flags, 'greediness', GREEDY),
      ...make(spliced(pattern, at, 1, text === '+' ? '*' : '+'), flags, 'quantifier', QUANTIFIER),
    ]),
    ...placesOf(pattern, /[+*]\?/g).flatMap(({ at }) =>
      make(spliced(pattern, at + 1, 1, ''), flags, 'greediness', GREEDY),
    ),
    ...placesOf(pattern, /\\[dws](?![+*?{])|\](?![+*?{])/g).flatMap(({ at, text }) =>
      make(spliced(pattern, at, text.length, `${text}+`), flags, 'quantifier', QUANTIFIER * 0.6),
    ),
    ...placesOf(pattern, /\.(?![+*?{])/g).flatMap(({ at }) =>
      make(spliced(pattern, at, 1, '\\.'), flags, 'escape', ESCAPE),
    ),
  ];
};

function anchored(pattern: string): string[] {
  const start = pattern.startsWith('^') ? pattern.slice(1) : `^${pattern}`;
  const end = /(^|[^\\])\$$/.test(pattern) ? pattern.slice(0, -1) : `${pattern}$`;
  return [start, end, ...(pattern.startsWith('^') || end.length < pattern.length ? [] : [`^${pattern}$`])];
}

/** Where a piece of a pattern is, outside of escapes; the first few. */
function placesOf(pattern: string, piece: RegExp): { readonly at: number; readonly text: string }[] {
  return [...pattern.matchAll(piece)]
    .filter(({ index }) => !/(^|[^\\])(\\\\)*\\$/.test(pattern.slice(0, index)))
    .map((match) => ({ at: match.index, text: match[0] }))
    .slice(0, MOST_PLACES);
}

function spliced(text: string, at: number, length: number, by: string): string {
  return text.slice(0, at) + by + text.slice(at + length);
}

function isPattern(source: string, flags: string): boolean {
  if (source === '') return false;
  try {
    return new RegExp(source, flags) !== undefined;
  } catch {
    return false;
  }
}

/** `if (s.indexOf(x))` asks whether it is anywhere but at the start. */
const askWhetherFound: Operator = (node, context) => {
  const callee = node.type === 'CallExpression' ? nodeAt(node, 'callee') : undefined;
  const name = methodOf(callee);
  if (!/^((last)?[iI]ndexOf|find(Last)?Index|search)$/.test(name) || !isTruth(node, context)) return [];
  const text = textOf(context.file, node);
  const negated = context.file.parents.get(node)?.type === 'UnaryExpression';
  const whole = negated ? context.file.parents.get(node) : node;
  if (whole === undefined) return [];
  const forms = negated ? [`${text} === -1`] : [`${text} !== -1`, `${text} === 0`];
  return forms.map((form) => replace(context, whole, form, 'texts/found', FOUND));
};

function methodOf(callee: SyntaxNode | undefined): string {
  const name = callee === undefined ? undefined : nodeAt(callee, 'property')?.name;
  return typeof name === 'string' ? name : '';
}

function isTruth(node: SyntaxNode, { file }: OperatorContext): boolean {
  const parent = file.parents.get(node);
  if (parent === undefined) return false;
  if (parent.type === 'UnaryExpression') return parent.operator === '!';
  if (parent.type === 'LogicalExpression') return true;
  return /^(If|While|DoWhile|For)Statement$|^ConditionalExpression$/.test(parent.type) && parent.test === node;
}

const CLEANING = /^(trim|trimStart|trimEnd|toLowerCase|toUpperCase|normalize|reverse|sort|flat)$/;

/** A cleaning step too many: `x.trim()` to `x`. */
const dropCleaning: Operator = (node, context) => {
  const callee = node.type === 'CallExpression' ? nodeAt(node, 'callee') : undefined;
  if (callee?.type !== 'MemberExpression' || nodesAt(node, 'arguments').length > 0) return [];
  if (!CLEANING.test(methodOf(callee))) return [];
  const parent = context.file.parents.get(node);
  if (parent?.type === 'ExpressionStatement') return [];
  return [replace(context, node, textOf(context.file, callee.object as SyntaxNode), 'texts/cleaning', DROP_CALL)];
};

/** A cleaning step that was forgotten, for what surely is a text. */
const addCleaning: Operator = (node, context) => {
  const parent = context.file.parents.get(node);
  if (parent === undefined || !/^(Identifier|MemberExpression|CallExpression)$/.test(node.type)) return [];
  if (context.scope.kindOf(node) !== 'string' || !isTaken(node, parent)) return [];
  const text = textOf(context.file, node);
  return ['trim', 'toLowerCase'].map((name) => replace(context, node, `${text}.${name}()`, 'texts/cleaning', ADD_CALL));
};

function isTaken(node: SyntaxNode, parent: SyntaxNode): boolean {
  if (parent.type === 'VariableDeclarator') return parent.init === node;
  if (parent.type === 'AssignmentExpression') return parent.right === node;
  if (parent.type === 'CallExpression') return parent.callee !== node;
  if (parent.type === 'MemberExpression') return parent.object === node && parent.computed !== true;
  return /^(ReturnStatement|BinaryExpression)$/.test(parent.type);
}

export const textOperators: readonly Operator[] = [changePattern, askWhetherFound, dropCleaning, addCleaning];
