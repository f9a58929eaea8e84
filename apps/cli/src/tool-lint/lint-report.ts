import type { Failure, Trust } from '@capstan/contracts';
import type { LintFinding, LintLevel } from '@capstan/tool-lint';

/** A server that was looked at, or why it could not be. */
export interface LookedAt {
  readonly server: string;
  readonly trust: Trust;
  readonly tools: number;
  /** Of its `tools/list`, as JSON. */
  readonly schemaBytes: number;
  readonly failure?: Failure;
}

/** What `capstan tools lint` says, as one JSON document. */
export interface LintReport {
  readonly servers: readonly LookedAt[];
  readonly findings: readonly LintFinding[];
  readonly counts: Readonly<Record<LintLevel, number>>;
}

/** Counts what was found. */
export function lintReport(servers: readonly LookedAt[], findings: readonly LintFinding[]): LintReport {
  const count = (level: LintLevel): number => findings.filter((finding) => finding.level === level).length;
  return { servers, findings, counts: { error: count('error'), warning: count('warning'), hint: count('hint') } };
}
