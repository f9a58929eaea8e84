/** Alternatives in braces are written out; more than this many are a mistake. */
const mostAlternatives = 64;

/**
 * Makes a matcher for paths: `*` and `?` stay inside a name, `**` spans folders, `[a-z]` and `{a,b}` are sets. A pattern
 * without a slash matches the name in any folder. Takes time in proportion to the lengths, whatever the pattern.
 */
export function compileGlob(pattern: string): (path: string) => boolean {
  const patterns = expandBraces(pattern).map((one) => {
    return compileSegments((one.includes('/') ? one.replace(/^\//, '') : `**/${one}`).split('/'));
  });
  return (path) => patterns.some((segments) => matchSegments(segments, path.split('/')));
}

/** A pattern segment ready to match: any number of segments, or one name. */
export type SegmentMatcher = 'any' | ((name: string) => boolean);

export function compileSegments(pattern: readonly string[]): SegmentMatcher[] {
  return pattern.map((segment) => (segment === '**' ? 'any' : compileName(segment)));
}

/** Matches path segments against pattern segments, where `**` stands for any number of segments. */
export function matchSegments(pattern: readonly SegmentMatcher[], path: readonly string[]): boolean {
  const [first, last] = pattern;
  // The commonest pattern by far: a name in any folder.
  if (pattern.length === 2 && first === 'any' && last !== undefined && last !== 'any') return last(path.at(-1) ?? '');
  return matchWildcards(
    pattern,
    path,
    (item) => item === 'any',
    (item, name) => item !== 'any' && item(name),
  );
}

function compileName(pattern: string): (name: string) => boolean {
  if (!/[*?[\\]/.test(pattern)) return (name) => name === pattern;
  const ending = /^\*+([^*?[\\]*)$/.exec(pattern)?.[1];
  if (ending !== undefined) return (name) => name.endsWith(ending);
  const tokens = tokensOf(pattern);
  return (name) => matchWildcards(tokens, [...name], (token) => token === '*', matchCharacter);
}

/** Greedy matching with one point to go back to: quadratic at worst, never exponential. */
function matchWildcards<Token, Item>(
  pattern: readonly Token[],
  items: readonly Item[],
  isStar: (token: Token) => boolean,
  matches: (token: Token, item: Item) => boolean,
): boolean {
  let token = 0;
  let item = 0;
  let star = -1;
  let retry = 0;
  while (item < items.length) {
    const current = pattern[token];
    if (current !== undefined && isStar(current)) {
      star = token;
      retry = item;
      token += 1;
    } else if (current !== undefined && matches(current, items[item] as Item)) {
      token += 1;
      item += 1;
    } else if (star !== -1) {
      token = star + 1;
      retry += 1;
      item = retry;
    } else {
      return false;
    }
  }
  return pattern.slice(token).every(isStar);
}

/** A pattern segment as single characters, `*`, `?`, and sets such as "[a-z]"; a back slash makes the next one literal. */
function tokensOf(pattern: string): string[] {
  return pattern.match(/\\.|\[[!^]?\]?[^\]]*\]|\*+|./gsu)?.map((token) => (token.startsWith('*') ? '*' : token)) ?? [];
}

function matchCharacter(token: string, character: string): boolean {
  if (token === '?') return true;
  if (token.length > 1 && token.startsWith('\\')) return token.slice(1) === character;
  if (token.length < 3 || !token.startsWith('[')) return token === character;
  const negated = token[1] === '!' || token[1] === '^';
  return inSet([...token.slice(negated ? 2 : 1, -1)], character) !== negated;
}

function inSet(set: readonly string[], character: string): boolean {
  for (let index = 0; index < set.length; index += 1) {
    const from = set[index] ?? '';
    const to = set[index + 2];
    if (set[index + 1] === '-' && to !== undefined) {
      if (from <= character && character <= to) return true;
      index += 2;
    } else if (from === character) {
      return true;
    }
  }
  return false;
}

function expandBraces(pattern: string): string[] {
  let open = [pattern];
  for (let round = 0; round < 8; round += 1) {
    const next = open.flatMap((one) => {
      const found = /^(.*?)\{([^{}]*,[^{}]*)\}(.*)$/s.exec(one);
      if (found === null) return [one];
      return (found[2] ?? '').split(',').map((choice) => `${found[1]}${choice}${found[3]}`);
    });
    if (next.length === open.length || next.length > mostAlternatives) break;
    open = next;
  }
  return open;
}
