// Loaded with --import into the process under test: sends it signals right after it has added the n-th event row, as a
// person or a system would. SIGNAL_AT is "12:SIGTERM", or "12:SIGINT,SIGINT" for two, the second a moment later.
import { DatabaseSync, StatementSync } from 'node:sqlite';

const [number, names = ''] = (process.env.SIGNAL_AT ?? '').split(':');
const [first, second] = names.split(',');
let rows = 0;
let sendAtCommit = false;

const run = StatementSync.prototype.run;
StatementSync.prototype.run = function (...values) {
  const result = run.apply(this, values);
  if (this.sourceSQL.startsWith('INSERT INTO events')) {
    rows += 1;
    sendAtCommit = rows === Number(number);
  }
  return result;
};

const exec = DatabaseSync.prototype.exec;
DatabaseSync.prototype.exec = function (sql) {
  const result = exec.call(this, sql);
  if (sendAtCommit && sql === 'COMMIT') {
    sendAtCommit = false;
    process.kill(process.pid, first);
    if (second) setTimeout(() => process.kill(process.pid, second), 50).unref();
  }
  return result;
};
