import type { TextEdit } from '@capstan/contracts';
import {
  lineOf,
  nodeAt,
  nodesAt,
  nodesIn,
  parseSource,
  type SourceFile,
  type SyntaxNode,
  textOf,
} from './parse-source.ts';
import type { Passed } from './screen-candidates.ts';
import type { Session } from './validation-session.ts';

/** Fewer places than this can be lost by a right change as well. */
const LOST_PLACES = 3;
const SHOWN = 60;

type Seen = Pick<Session, 'modules' | 'baseline' | 'prepared'>;

/**
 * What a patch takes away, in words, when it passes its tests by that rather than by mending something: a condition or a
 * flag becomes constant, a value is compared with itself, or code that passing tests ran is run by no test any more.
 * `undefined` where nothing looks like it. It is a sign, not a proof.
 */
export function whatItDisables(session: Seen, { candidate, reached }: Passed): string | undefined {
  for (const edit of candidate.patch.edits) {
    const file = session.modules.sources.find((one) => one.path === edit.path);
    const said = file === undefined ? undefined : constantBy(file, edit);
    if (said !== undefined) return said;
  }
  return reached === undefined ? undefined : lostBy(session, candidate.patch.edits, reached);
}

/** What becomes constant, by the text of the change alone. */
function constantBy(file: SourceFile, edit: TextEdit): string | undefined {
  const node = exactNode(file, edit);
  const now = expressionOf(edit.after);
  if (node === undefined || now === undefined) return undefined;
  const itself = withItself(now, edit.after);
  if (itself !== undefined && withItself(node, edit.before, node.start) === undefined) {
    return `the comparison \`${short(itself)}\`, which is always the same`;
  }
  const parent = file.parents.get(node);
  const what = short(edit.before);
  const value = parent?.type === 'AssignmentExpression' && parent.left === node ? nodeAt(parent, 'right') : undefined;
  if (parent !== undefined && value !== undefined && isConstant(value)) {
    return `the assignment \`${short(textOf(file, parent))}\`, which then sets \`${short(edit.after)}\``;
  }
  if (!isConstant(now)) return undefined;
  if (parent === undefined) return undefined;
  if (isCondition(node, parent)) return `the condition \`${what}\`, which becomes \`${short(edit.after)}\``;
  // One constant for another is no less than it was.
  if (isConstant(node)) return undefined;
  if (parent.type === 'AssignmentExpression' && parent.right === node) {
    return `\`${short(textOf(file, parent.left as SyntaxNode))}\`, which is always set to \`${short(edit.after)}\``;
  }
  return `the value \`${what}\`, which becomes \`${short(edit.after)}\``;
}

/** The expression that the edit replaces as a whole. */
function exactNode(file: SourceFile, edit: TextEdit): SyntaxNode | undefined {
  const end = edit.offset + edit.before.length;
  for (const node of nodesIn(file.program)) {
    if (node.start === edit.offset && node.end === end && !/Statement$|^Program$/.test(node.type)) return node;
  }
  return undefined;
}

function expressionOf(text: string): SyntaxNode | undefined {
  const parsed = parseSource('x.ts', `(${text});`);
  const statement = parsed === undefined ? undefined : nodesAt(parsed.program, 'body')[0];
  const outer = statement === undefined ? undefined : nodeAt(statement, 'expression');
  return outer?.type === 'ParenthesizedExpression' ? nodeAt(outer, 'expression') : outer;
}

function isConstant(node: SyntaxNode): boolean {
  if (node.type === 'UnaryExpression') return nodeAt(node, 'argument')?.type === 'Literal';
  return node.type === 'Literal' || (node.type === 'Identifier' && node.name === 'undefined');
}

function isCondition(node: SyntaxNode, parent: SyntaxNode): boolean {
  if (parent.type === 'LogicalExpression') return parent.operator !== '??';
  return /^(If|While|DoWhile|For)Statement$|^ConditionalExpression$/.test(parent.type) && parent.test === node;
}

/** `a < a` and the like somewhere in an expression; `from` is the offset of `text` in the file of the nodes. */
function withItself(expression: SyntaxNode, text: string, from = 1): string | undefined {
  for (const node of nodesIn(expression)) {
    if (node.type !== 'BinaryExpression' || !/^([<>]=?|[!=]==?|-|%|\/)$/.test(String(node.operator))) continue;
    const [left, right] = [node.left as SyntaxNode, node.right as SyntaxNode];
    if (left.type === 'Literal' || [...nodesIn(left)].some((inner) => inner.type === 'CallExpression')) continue;
    const textAt = ({ start, end }: SyntaxNode): string => text.slice(start - from, end - from);
    if (textAt(left) === textAt(right)) return textAt(node);
  }
  return undefined;
}

/** Places that tests which passed before ran, and that no test runs any more. */
function lostBy(
  { baseline, prepared }: Seen,
  edits: readonly TextEdit[],
  reached: readonly number[],
): string | undefined {
  // What our harness cannot run it cannot miss.
  if (baseline.misjudged.length > 0) return undefined;
  const now = new Set(reached);
  const before = new Set(baseline.coverage.filter(({ failed }) => !failed).flatMap(({ hits }) => hits));
  const lost = prepared.probes.filter(({ id, path, start, end }) => {
    if (!before.has(id) || now.has(id)) return false;
    return !edits.some((edit) => edit.path === path && start < edit.offset + edit.before.length && end > edit.offset);
  });
  const first = lost[0];
  if (first === undefined || lost.length < LOST_PLACES) return undefined;
  const file = prepared.instrumented.get(first.path)?.file;
  const own = lost.filter(({ path }) => path === first.path);
  const last = file === undefined ? first.line : Math.max(...own.map(({ end }) => lineOf(file.text, end)));
  const lines = last === first.line ? `line ${first.line}` : `lines ${first.line} to ${last}`;
  return `${lines} of ${first.path}, which no test runs any more`;
}

function short(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > SHOWN ? `${line.slice(0, SHOWN)}...` : line;
}
