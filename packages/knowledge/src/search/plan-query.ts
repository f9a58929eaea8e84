import { quoted } from '../store/index-store.ts';
import { kindOf } from '../words/character.ts';
import { stem } from '../words/stem.ts';
import { WordCounter } from '../words/word-counter.ts';

/** What is asked of the index: the terms that tell files apart, and the FTS5 expression of them. */
export interface QueryPlan {
  readonly expression: string;
  readonly terms: readonly QueryTerm[];
}

export interface QueryTerm {
  readonly term: string;
  /** Higher for terms that stand in few files. */
  readonly weight: number;
}

/** How common terms are; `spread` is the number of files with a term. */
export interface TermStatistics {
  readonly files: number;
  spread(term: string): number;
}

/** Of a long text, such as an issue, the terms that say most are asked for: each one costs time. */
const mostTerms = 24;
const longestQuery = 20_000;
/** The weight of a term that stands in half of the files. */
const commonWeight = Math.log(2);

const stopWords = new Set(
  `a about after all also an and any are as at be been but by can cannot could did do does doing for from had has have how i if in
  into is it its itself just may me more my no not of on only or other our out over should so some such than that the their
  them then there these they this to too under up was we were what when where which while who why will with would you your
  please thanks hello hi using use used when`
    .split(/\s+/)
    .map(stem),
);

/**
 * Turns what somebody asks into index terms, by the rules by which files were indexed. Nothing in the text is syntax.
 * Undefined when it holds nothing that the index knows of: punctuation, one letter.
 */
export function planQuery(text: string, statistics: TermStatistics): QueryPlan | undefined {
  const { terms } = new WordCounter(1 << 10).count(text.slice(0, longestQuery));
  const weighed = chooseTerms(terms).map((term) => ({ term, weight: weightOf(term, statistics) }));
  const best = withoutCommon(weighed.toSorted((first, second) => second.weight - first.weight)).slice(0, mostTerms);
  if (best.length === 0) return undefined;
  return { terms: best, expression: best.map(({ term }) => expressionOf(term, statistics)).join(' OR ') };
}

/**
 * A term that stands in more than half of the files tells them apart little and costs most of the time: it is left
 * out where at least two others say more.
 */
function withoutCommon(terms: readonly QueryTerm[]): readonly QueryTerm[] {
  const rare = terms.filter(({ weight }) => weight > commonWeight);
  return rare.length >= 2 ? rare : terms.slice(0, Math.max(2, rare.length));
}

/** Without words that every sentence has, unless there are no others. */
function chooseTerms(terms: readonly string[]): readonly string[] {
  const asked = terms.filter((term, index) => !isEndOfRun(term, terms[index - 1]));
  const telling = asked.filter((term) => !stopWords.has(term));
  return telling.length > 0 ? telling : asked;
}

/** The index keeps the last character of a run alone; in a query the pair before it says more. */
function isEndOfRun(term: string, before: string | undefined): boolean {
  return isIdeograph(term) && term.length === 1 && before?.length === 2 && before.endsWith(term);
}

/** A term that no file has may be the beginning of one that some have; a single ideograph begins the pairs. */
function expressionOf(term: string, { spread }: TermStatistics): string {
  const isBeginning = isIdeograph(term) ? term.length === 1 : term.length >= 3 && spread(term) === 0;
  return isBeginning ? `${quoted(term)} *` : quoted(term);
}

function isIdeograph(term: string): boolean {
  return kindOf(term.charCodeAt(0)) === 'ideograph';
}

/** The usual inverse frequency of documents, never negative. */
function weightOf(term: string, { files, spread }: TermStatistics): number {
  const count = spread(term);
  return Math.log(1 + (files - count + 0.5) / (count + 0.5));
}
