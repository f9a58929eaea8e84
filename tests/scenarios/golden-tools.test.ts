import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { filesScenario } from './support/checkouts.ts';
import { matchesGolden } from './support/golden.ts';
import { installation } from './support/run-capstan.ts';

/** What each server needs to start; `none` is enough of a sandbox to publish tools. */
const contained = ['--sandbox', 'none', '--search-path', '/usr/bin'];
const servers: Readonly<Record<string, { readonly state: boolean; readonly args: readonly string[] }>> = {
  'fs-read': { state: false, args: [] },
  'fs-write': { state: true, args: [] },
  'git-read': { state: true, args: [] },
  'git-write': { state: true, args: [] },
  exec: { state: true, args: contained },
  repair: { state: true, args: contained },
};

for (const [name, { state, args }] of Object.entries(servers)) {
  test(`T5: the published tools of ${name} are those of the golden file`, async (t) => {
    const { base, checkout } = filesScenario(t, { 'package.json': '{}' });
    const folder = join(base, 'server state');
    mkdirSync(folder);
    const client = new Client(
      { name: 'test', version: '1.0.0' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    t.after(() => client.close());
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [
          join(installation, 'packages', 'servers', name, 'src', 'main.ts'),
          ...['--root', checkout, ...args],
          ...(state ? ['--state', folder] : []),
        ],
        env: {},
        stderr: 'inherit',
      }),
    );
    const { tools } = await client.listTools();
    matchesGolden(`tools/${name}.json`, `${JSON.stringify(tools, null, 2)}\n`);
  });
}
