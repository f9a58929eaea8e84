// Loaded with --import into a process that works on a data folder: kills it, as `kill -9` does, before the n-th step
// that changes anything: a statement on a database, or a file that is written, renamed or removed. KILL_AT_STEP is the
// number.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { DatabaseSync, StatementSync } from 'node:sqlite';

let left = Number(process.env.KILL_AT_STEP);

for (const [owner, names] of [
  [DatabaseSync.prototype, ['exec']],
  [StatementSync.prototype, ['run']],
  [fs, ['openSync', 'writeSync', 'renameSync', 'rmSync', 'mkdirSync', 'utimesSync']],
]) {
  for (const name of names) {
    const original = owner[name];
    owner[name] = function (...values) {
      left -= 1;
      if (left === 0) process.kill(process.pid, 'SIGKILL');
      return original.apply(this, values);
    };
  }
}
syncBuiltinESMExports();
