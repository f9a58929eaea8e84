import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { parseFaults } from './faults.ts';
import type { Script } from './script.ts';
import { createScriptServer } from './script-server.ts';

const { values } = parseArgs({
  options: {
    script: { type: 'string' },
    ledger: { type: 'string' },
    port: { type: 'string', default: '0' },
    fault: { type: 'string', multiple: true, default: [] },
    'watch-stdin': { type: 'boolean', default: false },
  },
});
if (values.script === undefined || values.ledger === undefined) {
  process.stderr.write(
    'usage: main.ts --script FILE.mjs --ledger FILE [--port N] [--fault KIND:COUNT] [--watch-stdin]\n',
  );
  process.exit(2);
}
const script = (await import(pathToFileURL(values.script).href)) as Script;
const server = createScriptServer({ script, ledger: values.ledger, faults: parseFaults(values.fault) });
const stop = () => process.exit(0);
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
if (values['watch-stdin']) process.stdin.on('end', stop).on('error', stop).resume();
server.listen(Number(values.port), '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}/v1` })}\n`);
});
