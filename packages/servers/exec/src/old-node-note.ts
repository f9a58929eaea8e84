import type { CheckReport } from '@capstan/contracts';

/** What Node says when its test runner is too old for a pattern or for TypeScript: how, since which version, what. */
const LACKS = [
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

/** True where the output of a node:test run reads as if its Node could be too old. */
export function mayBeOldNode(report: CheckReport, output: string): boolean {
  return LACKS.some(({ sign }) => sign.test(textOf(report, output)));
}

/** A line for the reader when `version` ("v20.1.0") is too old for what the run wanted. */
export function oldNodeNote(report: CheckReport, output: string, version: string): string | undefined {
  if (!/^v\d+\.\d+\.\d+$/.test(version)) return undefined;
  const [major = 0, minor = 0] = version.slice(1).split('.').map(Number);
  const text = textOf(report, output);
  const needs = LACKS.filter(({ sign, since }) => {
    const first = since.find(([one]) => one === major) ?? since[0];
    return sign.test(text) && (major < first[0] || (major === first[0] && minor < first[1]));
  }).map(({ need }) => need);
  return needs.length === 0 ? undefined : `Node ${version} ran these tests: ${needs.join('; ')}.`;
}

function textOf(report: CheckReport, output: string): string {
  return [output, ...report.tests.map(({ message = '' }) => message)].join('\n');
}
