import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Requirement } from '../tests/requirement.ts';
import { requirementIds } from '../tests/requirement-ids.ts';
import { requirements } from '../tests/requirements.ts';
import {
  calledName,
  everyNode,
  literalText,
  nodesOf,
  parseTree,
  type SyntaxNode,
  templateStart,
} from './checks/syntax-tree.ts';

const testFunctions = ['test', 'it', 'describe', 'suite', 'property'];

/** What is wrong with the table of requirements: unknown or missing ids, and tests that do not exist. */
export function checkRequirements(
  root: string,
  table: Readonly<Record<string, Requirement>> = requirements,
  ids: readonly string[] = requirementIds,
): string[] {
  const missing = ids.filter((id) => !(id in table)).map((id) => `${id}: not in the table`);
  const problems = Object.entries(table).flatMap(([id, requirement]) =>
    ids.includes(id)
      ? requirementProblems(root, requirement).map((problem) => `${id}: ${problem}`)
      : [`${id}: no such id`],
  );
  return [...missing, ...problems];
}

function requirementProblems(root: string, { status, tests, note }: Requirement): string[] {
  const problems = tests.flatMap((reference) => referenceProblem(root, reference) ?? []);
  if (status !== 'open' && tests.length === 0) problems.push(`${status}, but no test is named`);
  if (status === 'partly' && note === undefined) problems.push('partly: a note has to say what is missing');
  return problems;
}

function referenceProblem(root: string, reference: string): string | undefined {
  const [file = '', start] = reference.split(/#(.*)/s);
  if (!/\.(test|spec)\.ts$/.test(file)) return `${file} is not a test file`;
  const names = testNames(root, file);
  if (names === undefined) return `${file} does not exist`;
  if (names.length === 0) return `${file} holds no test`;
  if (start === undefined || names.some((name) => name.startsWith(start))) return undefined;
  return `${file} holds no test whose name starts with "${start}"`;
}

/** Names of the tests and suites of a file, those made in a loop by the fixed start of their template. */
function testNames(root: string, file: string): string[] | undefined {
  let text: string;
  try {
    text = readFileSync(join(root, file), 'utf8');
  } catch {
    return undefined;
  }
  return [...everyNode(parseTree(file, text))].flatMap((node) => testName(node) ?? []);
}

function testName(node: SyntaxNode): string | undefined {
  if (node.type !== 'CallExpression') return undefined;
  const name = calledName(node);
  const [title] = nodesOf(node.arguments);
  if (name === undefined || !testFunctions.includes(name)) return undefined;
  return literalText(title) ?? templateStart(title) ?? '';
}
