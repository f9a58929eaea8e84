import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { officialServerNames } from '../apps/cli/src/official-server.ts';
import { fuzzOfficialServer } from './fuzz/fuzz-official-server.ts';

/**
 * Calls every tool of our servers through their real processes with valid, nearly valid and hostile arguments, and garbage
 * between the calls: no crash, no stack trace, no hang, nothing from outside, no file left open. Exits with 1 when
 * something is found. Use: node bench/fuzz-servers.ts [--calls 100000] [--seed 1] [SERVER...]
 */
const { values, positionals } = parseArgs({
  options: { calls: { type: 'string', default: '100000' }, seed: { type: 'string', default: '1' } },
  allowPositionals: true,
});
const installation = fileURLToPath(new URL('..', import.meta.url));
const names = positionals.length > 0 ? positionals : await officialServerNames({ installation });
for (const name of names) {
  const begin = performance.now();
  const report = await fuzzOfficialServer(name, {
    installation,
    seed: Number(values.seed),
    calls: Number(values.calls),
    onProgress: (done) => {
      if (done % 10_000 === 0) process.stderr.write(`${name}: ${done}\n`);
    },
  });
  const seconds = Math.round((performance.now() - begin) / 1000);
  console.log(JSON.stringify({ server: name, seconds, ...report }));
  if (report.faults.length > 0) process.exitCode = 1;
}
