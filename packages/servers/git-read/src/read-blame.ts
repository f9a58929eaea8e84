import { decodeLines } from '@capstan/git-repository';
import { z } from 'zod';

export const BlamedLine = z.strictObject({
  line: z.number(),
  commit: z.string().describe('"not committed" for lines that were changed since'),
  author: z.string(),
  date: z.string(),
  summary: z.string(),
  text: z.string(),
});
export type BlamedLine = z.infer<typeof BlamedLine>;

interface CommitFacts {
  author: string;
  date: string;
  summary: string;
}

const longestText = 500;

/** Reads what `git blame --porcelain` writes (pure). Facts of a commit stand at its first line only. */
export function readBlame(output: Buffer): { readonly lines: BlamedLine[]; readonly encodings: readonly string[] } {
  const { lines: rows, encodings } = decodeLines(splitLines(output));
  const commits = new Map<string, CommitFacts>();
  const lines: BlamedLine[] = [];
  let commit = '';
  let line = 0;
  for (const row of rows) {
    const head = /^([0-9a-f]{40,64}) \d+ (\d+)/.exec(row);
    if (row.startsWith('\t')) {
      const facts = factsOf(commits, commit);
      lines.push({ line, commit: /^0+$/.test(commit) ? 'not committed' : commit, ...facts, text: cut(row.slice(1)) });
    } else if (head !== null) {
      commit = head[1] ?? '';
      line = Number(head[2]);
    } else readFact(factsOf(commits, commit), row);
  }
  return { lines, encodings };
}

export function showBlamedLine({ line, commit, author, date, text }: BlamedLine): string {
  return `${commit.slice(0, 13)} ${date.slice(0, 10)} ${author} ${line}| ${text}`;
}

function readFact(facts: CommitFacts, row: string): void {
  const [, name, value = ''] = /^(\S+) (.*)$/s.exec(row) ?? [];
  if (name === 'author') facts.author = value;
  if (name === 'author-time') facts.date = new Date(Number(value) * 1000).toISOString();
  if (name === 'summary') facts.summary = value.slice(0, 200);
}

function factsOf(commits: Map<string, CommitFacts>, commit: string): CommitFacts {
  const known = commits.get(commit) ?? { author: '', date: '', summary: '' };
  commits.set(commit, known);
  return known;
}

function splitLines(output: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  let start = 0;
  for (let end = output.indexOf(10); end >= 0; end = output.indexOf(10, start)) {
    lines.push(output.subarray(start, end));
    start = end + 1;
  }
  if (start < output.length) lines.push(output.subarray(start));
  return lines;
}

function cut(text: string): string {
  const line = text.replace(/\r$/, '');
  return line.length <= longestText ? line : `${line.slice(0, longestText).toWellFormed()}... (cut)`;
}
