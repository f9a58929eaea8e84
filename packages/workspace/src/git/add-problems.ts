/** What `git add` had to leave out, and what it could not do at all. */
export interface AddProblems {
  /** Files and folders that may not be read. */
  readonly unreadable: readonly string[];
  /** The first line that tells of anything else, such as a full disk; undefined when all is explained. */
  readonly failure: string | undefined;
}

const unreadable = [
  /^error: (?:open|readlink)\("([^\0]*?)"\): (?:Permission denied|Operation not permitted)$/gm,
  /^warning: could not open directory '([^\0]*?)': (?:Permission denied|Operation not permitted|File name too long)$/gm,
];

/** Files that went while they were read, nested repositories without commits, and lines that only repeat. */
const harmless = [
  /^error: (?:open|readlink)\("[^\0]*?"\): No such file or directory$/gm,
  /^error: '[^\0]*?' does not have a commit checked out$/gm,
  /^error: unable to index file '[^\0]*?'$/gm,
];

/** Reads what `git add --ignore-errors` wrote to standard error (pure; names may hold line ends). */
export function readAddProblems(stderr: string): AddProblems {
  const paths = unreadable.flatMap((pattern) => [...stderr.matchAll(pattern)].map((match) => match[1] ?? ''));
  const rest = [...unreadable, ...harmless].reduce((text, pattern) => text.replaceAll(pattern, ''), stderr);
  return { unreadable: paths, failure: /^(?:error|fatal): .*$/m.exec(rest)?.[0] };
}
