// Loaded with --import into the process under test: kills it, as `kill -9` does, right before its n-th change of a name in
// the file system. KILL_AT is that number.
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

let changes = 0;

for (const name of ['rename', 'link', 'rm', 'mkdir']) {
  const original = promises[name];
  promises[name] = (...values) => {
    changes += 1;
    if (changes === Number(process.env.KILL_AT)) process.kill(process.pid, 'SIGKILL');
    return original(...values);
  };
}
syncBuiltinESMExports();
