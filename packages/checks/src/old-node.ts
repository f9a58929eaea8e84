/** What Node says when its test runner is too old for what is asked of it: how, since which version, what. */
const LACKS = [
  {
    sign: /bad option: --test|is not allowed in NODE_OPTIONS|No such built-in module: node:test|Cannot find module 'node:test'/,
    since: [[20, 0]],
    need: 'the test runner needs Node 20 or later',
  },
  { sign: /Could not find '[^'\n]*[*?{[]/, since: [[21, 0]], need: 'globs need Node 21 or later' },
  {
    sign: /Unknown file extension "\.[cm]?ts"/,
    since: [
      [22, 18],
      [23, 6],
    ],
    need: '.ts files need Node 22.18 or later',
  },
] as const;

/** What Node says of a flag that it does not have, or that it has under another name. */
const BAD_OPTION = /\bnode: bad option: (--[\w-]+(?:=\S+)?)/;

/** True where the output of a node:test run reads as if its Node could be too old. */
export function mayBeOldNode(output: string): boolean {
  return BAD_OPTION.test(output) || LACKS.some(({ sign }) => sign.test(output));
}

/**
 * A sentence for the reader when `version` ("v20.1.0") is too old for what the run wanted, or does not know an option of it, by
 * what it printed.
 */
export function oldNode(output: string, version: string): string | undefined {
  if (!/^v\d+\.\d+\.\d+/.test(version)) return undefined;
  const [major = 0, minor = 0] = version.slice(1).split('.').map(Number);
  const needs = LACKS.filter(({ sign, since }) => {
    const first = since.find(([one]) => one === major) ?? since[0];
    return sign.test(output) && (major < first[0] || (major === first[0] && minor < first[1]));
  }).map(({ need }): string => need);
  const option = BAD_OPTION.exec(output)?.[1];
  if (needs.length === 0 && option !== undefined) needs.push(`it does not know the option ${option}`);
  return needs.length === 0 ? undefined : `Node ${version} ran these tests: ${needs.join('; ')}.`;
}
