import type { LintFinding, LintLevel } from '@capstan/tool-lint';
import type { Style } from '../style.ts';
import type { LintReport, LookedAt } from './lint-report.ts';

/** A report for people: by server and tool. What to do about a rule is told where the rule comes first. */
export function lintLines(report: LintReport, style: Style): string[] {
  const told = new Set<string>();
  const isFirst = (rule: string): boolean => !told.has(rule) && told.add(rule).has(rule);
  return [...report.servers.flatMap((server) => [...serverLines(server, report, style, isFirst), '']), closing(report)];
}

type IsFirst = (rule: string) => boolean;

function serverLines(server: LookedAt, { findings }: LintReport, style: Style, isFirst: IsFirst): string[] {
  const { server: name, trust, tools, schemaBytes, failure } = server;
  if (failure !== undefined) {
    const hint = failure.hint === undefined ? [] : failure.hint.split('\n').map((line) => `  ${line}`);
    return [`${style.strong(name)}: ${style.bad('not looked at')}. ${failure.message}`, ...hint];
  }
  const own = findings.filter((finding) => finding.server === name);
  const size = `${tools} ${tools === 1 ? 'tool' : 'tools'}, ${(schemaBytes / 1024).toFixed(1)} KB`;
  const heading = `${style.strong(name)} (${trust}, ${size})${own.length === 0 ? `: ${style.good('nothing found')}` : ''}`;
  const byTool = Map.groupBy(own, ({ tool }) => tool);
  return [
    heading,
    ...[...byTool].flatMap(([tool, found]) => [
      `  ${tool ?? '(the whole server)'}`,
      ...found.flatMap((finding) => findingLines(finding, style, isFirst(finding.rule))),
    ]),
  ];
}

function findingLines({ level, rule, message, advice }: LintFinding, style: Style, withAdvice: boolean): string[] {
  const paint: Readonly<Record<LintLevel, (text: string) => string>> = {
    error: style.bad,
    warning: style.warn,
    hint: style.quiet,
  };
  const line = `    ${paint[level](level.padEnd(7))} ${rule}: ${message.replaceAll(/\s*\n\s*/g, ' ')}`;
  return withAdvice ? [line, `            ${style.quiet(advice)}`] : [line];
}

function closing({ servers, counts }: LintReport): string {
  const amount = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;
  const tools = servers.reduce((sum, server) => sum + server.tools, 0);
  const failed = servers.filter(({ failure }) => failure !== undefined).length;
  const missing = failed === 0 ? '' : `, ${failed} not looked at`;
  const found = [amount(counts.error, 'error'), amount(counts.warning, 'warning'), amount(counts.hint, 'hint')];
  return `${amount(servers.length, 'server')}${missing}, ${amount(tools, 'tool')}: ${found.join(', ')}`;
}
