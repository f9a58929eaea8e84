// Loaded with --import into the process under test: kills it, as `kill -9` does, right before or right after it adds
// the n-th event row. KILL_AT is "before:12" or "after:12".
import { DatabaseSync, StatementSync } from 'node:sqlite';

const [when, number] = (process.env.KILL_AT ?? '').split(':');
let rows = 0;
let killAtCommit = false;

const run = StatementSync.prototype.run;
StatementSync.prototype.run = function (...values) {
  if (!this.sourceSQL.startsWith('INSERT INTO events')) return run.apply(this, values);
  rows += 1;
  if (rows === Number(number) && when === 'before') die();
  const result = run.apply(this, values);
  killAtCommit = rows === Number(number) && when === 'after';
  return result;
};

const exec = DatabaseSync.prototype.exec;
DatabaseSync.prototype.exec = function (sql) {
  const result = exec.call(this, sql);
  if (killAtCommit && sql === 'COMMIT') die();
  return result;
};

function die() {
  process.kill(process.pid, 'SIGKILL');
}
