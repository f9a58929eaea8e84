import type { SQLInputValue } from 'node:sqlite';
import type { AuditRow } from '@capstan/contracts';
import { number, optionalNumber, optionalText, present, type Row, text } from './row.ts';

/** Member of a row -> column of the table `audit`, in the order of both. */
const columnOf: Readonly<Record<keyof AuditRow, string>> = {
  number: 'number',
  at: 'at',
  sessionId: 'session_id',
  kind: 'kind',
  actor: 'actor',
  agent: 'agent',
  server: 'server',
  tool: 'tool',
  callId: 'call_id',
  argumentDigest: 'argument_digest',
  arguments: 'arguments',
  decision: 'decision',
  rule: 'rule',
  approvedBy: 'approved_by',
  resultDigest: 'result_digest',
  durationMs: 'duration_ms',
  previousHash: 'previous_hash',
  hash: 'hash',
};

export const auditColumns: readonly string[] = Object.values(columnOf);

export function auditValues(row: AuditRow): SQLInputValue[] {
  return (Object.keys(columnOf) as (keyof AuditRow)[]).map((member) => row[member] ?? null);
}

export function auditRow(row: Row): AuditRow {
  return {
    number: number(row, 'number'),
    at: number(row, 'at'),
    sessionId: text(row, 'session_id'),
    kind: text(row, 'kind') as AuditRow['kind'],
    actor: text(row, 'actor'),
    agent: text(row, 'agent'),
    server: text(row, 'server'),
    tool: text(row, 'tool'),
    callId: text(row, 'call_id'),
    argumentDigest: text(row, 'argument_digest'),
    arguments: text(row, 'arguments'),
    decision: text(row, 'decision'),
    rule: text(row, 'rule'),
    ...present({
      approvedBy: optionalText(row, 'approved_by'),
      resultDigest: optionalText(row, 'result_digest'),
      durationMs: optionalNumber(row, 'duration_ms'),
    }),
    previousHash: text(row, 'previous_hash'),
    hash: text(row, 'hash'),
  };
}
