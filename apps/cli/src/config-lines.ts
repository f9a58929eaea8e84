import { type ConfigFile, describeOrigin, type Origin } from '@capstan/config';
import type { Style } from './style.ts';
import type { TrustedModel } from './trusted-models.ts';

type Shown = string | number | readonly string[] | null | undefined;

/** What `capstan config` says, as one JSON document. */
export interface ConfigReport {
  readonly files: readonly ConfigFile[];
  readonly values: readonly {
    readonly key: string;
    readonly value: Shown;
    readonly origins: readonly Origin[];
    readonly ignored?: { readonly value: Shown; readonly origin: Origin };
  }[];
  readonly modelKey: { readonly variable: string; readonly isSet: boolean };
  readonly repository?: string;
  /** The yes of a person to send code of this repository to a model. */
  readonly trustedModel?: TrustedModel;
  readonly unknownVariables: readonly string[];
}

/** A report for people: files, values with their origins, and what should be known beside them. */
export function configLines(report: ConfigReport, style: Style): string[] {
  const values = report.values.map(({ key, value, origins }) => [
    key,
    show(value),
    origins.map(describeOrigin).join(', '),
  ]);
  const widths = [0, 1].map((column) => Math.max(...values.map((row) => (row[column] ?? '').length)) + 2);
  const rows = values.map(
    ([key = '', value = '', from = '']) =>
      `${key.padEnd(widths[0] ?? 0)}${style.strong(value.padEnd(widths[1] ?? 0))}${style.quiet(from)}`,
  );
  return [
    ...report.files.map(({ kind, path, found }) => `${`${kind} file`.padEnd(14)}${path}${found ? '' : ' (not there)'}`),
    `${'model key'.padEnd(14)}${report.modelKey.variable} ${report.modelKey.isSet ? 'is set' : 'is not set'}`,
    ...trustLines(report),
    '',
    ...rows,
    ...notes(report).map((note) => style.warn(note)),
  ];
}

function trustLines({ trustedModel, repository }: ConfigReport): string[] {
  if (repository === undefined) return [];
  const said =
    trustedModel === undefined
      ? 'nobody has agreed to send code of this repository to a model elsewhere'
      : `code may be sent to ${trustedModel.endpoint}: ${trustedModel.by}, ${trustedModel.at.slice(0, 10)}`;
  return [`${'model trust'.padEnd(14)}${said}`];
}

function notes(report: ConfigReport): string[] {
  const ignored = report.values.flatMap(({ key, value, ignored: looser }) => {
    if (looser === undefined) return [];
    return [`${describeOrigin(looser.origin)}: ${key} ${show(looser.value)} is looser: ${show(value)} counts`];
  });
  const unknown = report.unknownVariables.map((name) => `environment ${name}: there is no such key, it has no effect`);
  const all = [...ignored, ...unknown];
  return all.length === 0 ? [] : ['', ...all];
}

function show(value: Shown): string {
  if (value === null || value === undefined) return '-';
  return typeof value === 'object' ? `[${value.join(', ')}]` : String(value);
}
