import { compileSegments, matchSegments, type SegmentMatcher } from './glob.ts';

interface Rule {
  readonly segments: readonly SegmentMatcher[];
  readonly negated: boolean;
  readonly foldersOnly: boolean;
}

/**
 * The rules of one .gitignore file, for paths relative to its folder. Follows git's own: the last match decides, `!`
 * takes back, a trailing slash means folders, a slash elsewhere anchors.
 */
export class IgnoreRules {
  readonly #rules: readonly Rule[];

  constructor(text: string) {
    this.#rules = text.split(/\r?\n/).flatMap(parseRule);
  }

  /** What the file says about a path: undefined when it says nothing. */
  decide(path: string, isFolder: boolean): 'ignored' | 'kept' | undefined {
    const segments = path.split('/');
    const rule = this.#rules.findLast((one) => (isFolder || !one.foldersOnly) && matchSegments(one.segments, segments));
    if (rule === undefined) return undefined;
    return rule.negated ? 'kept' : 'ignored';
  }
}

function parseRule(line: string): Rule[] {
  const trimmed = line.replace(/(?<!\\) +$/, '');
  if (trimmed === '' || trimmed.startsWith('#')) return [];
  const negated = trimmed.startsWith('!');
  const pattern = negated ? trimmed.slice(1) : trimmed;
  const foldersOnly = pattern.endsWith('/');
  const body = foldersOnly ? pattern.slice(0, -1) : pattern;
  const segments = body.replace(/^\//, '').split('/');
  if (segments.at(-1) === '**') segments.push('*');
  const anchored = body.includes('/');
  return [{ segments: compileSegments(anchored ? segments : ['**', ...segments]), negated, foldersOnly }];
}
