/**
 * Makes each MCP server a package that installs by itself: one file of code, one executable, no sources of ours.
 * `node scripts/bundle-servers.ts [--out FOLDER] [NAME...]`: all servers into build/servers unless told.
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bundleServer, serverNames } from './bundle-server.ts';

const build = fileURLToPath(new URL('../build/servers', import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { out: { type: 'string', default: build } },
});
const known = serverNames();
const unknown = positionals.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`There is no server ${unknown.join(', ')}. Use one of: ${known.join(', ')}.`);
  process.exit(2);
}
for (const name of positionals.length > 0 ? positionals : known) {
  const { folder, bytes } = await bundleServer(name, values.out);
  console.log(`${folder}  ${(bytes / 1024).toFixed(0)} kB`);
}
