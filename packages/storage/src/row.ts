import type { SQLOutputValue } from 'node:sqlite';
import { CapstanError } from '@capstan/contracts';

export type Row = Record<string, SQLOutputValue>;

/** Column readers that check what came back: a row that is not what the schema says is `storage-failed`. */
export function text(row: Row, column: string): string {
  const value = row[column];
  return typeof value === 'string' ? value : wrongColumn(column);
}

export function optionalText(row: Row, column: string): string | undefined {
  return row[column] === null ? undefined : text(row, column);
}

export function number(row: Row, column: string): number {
  const value = row[column];
  return typeof value === 'number' ? value : wrongColumn(column);
}

export function optionalNumber(row: Row, column: string): number | undefined {
  return row[column] === null ? undefined : number(row, column);
}

export function bytes(row: Row, column: string): Uint8Array {
  const value = row[column];
  return value instanceof Uint8Array ? value : wrongColumn(column);
}

/** Reads a column that was written as JSON by this package; its content is trusted to have the shape that was written. */
export function json<Value>(row: Row, column: string): Value {
  return parseStored<Value>(text(row, column));
}

/** Parses JSON that this package wrote. Throws `storage-failed` when it is damaged. */
export function parseStored<Value>(stored: string): Value {
  try {
    return JSON.parse(stored) as Value;
  } catch (cause) {
    throw new CapstanError('storage-failed', 'A stored value is not JSON', { cause });
  }
}

function wrongColumn(column: string): never {
  throw new CapstanError('storage-failed', `The column "${column}" of a stored row has the wrong type`);
}

/** Members with a value only, so that optional ones are absent instead of undefined. */
export function present<Members extends Record<string, unknown>>(
  members: Members,
): { [Name in keyof Members]?: Exclude<Members[Name], undefined> } {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Name in keyof Members]?: Exclude<Members[Name], undefined> };
}
