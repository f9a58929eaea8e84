import { DatabaseSync } from 'node:sqlite';
import type { Database } from '../database.ts';
import { text } from '../row.ts';
import { schema } from './schema.ts';

/** The first table or index in which a database differs from a new one; undefined when it is the same. */
export function schemaDifference(database: Database): string | undefined {
  const expected = freshSchema();
  const found = new Map(
    database.all(query).map((row): [string, string] => [text(row, 'name'), plain(text(row, 'sql'))]),
  );
  const names = [...new Set([...expected.keys(), ...found.keys()])].sort();
  return names.find((name) => expected.get(name) !== found.get(name));
}

const query = `SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL`;

function freshSchema(): Map<string, string> {
  const memory = new DatabaseSync(':memory:');
  try {
    memory.exec(schema);
    const rows = memory.prepare(query).all();
    return new Map(rows.map((row) => [String(row.name), plain(String(row.sql))]));
  } finally {
    memory.close();
  }
}

/** SQLite keeps the text of a statement, and adds columns to it: the words count, not the white space. */
function plain(sql: string): string {
  return sql.replaceAll(/\s+/g, ' ').replaceAll(/ ?([(),]) ?/g, '$1');
}
