// Loaded with --import into a process that opens a data folder: kills it, as `kill -9` does, before the n-th statement
// that it runs on any database. KILL_AT_STATEMENT is the number.
import { DatabaseSync, StatementSync } from 'node:sqlite';

let left = Number(process.env.KILL_AT_STATEMENT);

for (const [owner, name] of [
  [DatabaseSync.prototype, 'exec'],
  [StatementSync.prototype, 'run'],
]) {
  const original = owner[name];
  owner[name] = function (...values) {
    left -= 1;
    if (left === 0) process.kill(process.pid, 'SIGKILL');
    return original.apply(this, values);
  };
}
