import type { Hit } from '../store/index-store.ts';
import { isRecordPath, isTestPath } from './path-kinds.ts';

const asksForTests = /\b(tests?|specs?|fixtures?|mocks?)\b|测试/i;
const pathLike = /[\w@./-]{3,300}/g;
const fileName = /\.[a-z]\w{0,5}$/i;

/** How much less a file counts that seldom is what somebody looks for. */
const testFactor = 0.6;
const recordFactor = 0.4;
/** How much more a file counts that the question names. */
const namedFactor = 4;

/**
 * Puts what words alone do not know into the scores: files that the question names come first; tests and records of changes
 * repeat the words of the code and come after it, unless the question asks for tests.
 */
export function adjustRanks(query: string, hits: readonly Hit[]): Hit[] {
  const named = mentionedPaths(query);
  const wantsTests = asksForTests.test(query);
  return hits
    .map(({ path, score }) => ({ path, score: score * factorOf(path, named, wantsTests) }))
    .sort((first, second) => second.score - first.score || (first.path < second.path ? -1 : 1));
}

/** What looks like the path of a file, in small letters; a full stop after it ends the sentence. */
function mentionedPaths(query: string): Set<string> {
  const words = (query.match(pathLike) ?? []).map((word) => word.replace(/[./-]+$/, ''));
  return new Set(words.filter((word) => fileName.test(word)).map((word) => word.toLowerCase()));
}

function factorOf(path: string, named: ReadonlySet<string>, wantsTests: boolean): number {
  const lower = path.toLowerCase();
  const isNamed = [...named].some((name) => lower === name || lower.endsWith(`/${name}`) || name.endsWith(`/${lower}`));
  if (isNamed) return namedFactor;
  if (isRecordPath(path)) return recordFactor;
  return isTestPath(path) && !wantsTests ? testFactor : 1;
}
