import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { filesScenario } from './support/checkouts.ts';
import { needsSandbox } from './support/needs-sandbox.ts';
import { installation, runCapstan } from './support/run-capstan.ts';

interface Report {
  readonly servers: readonly {
    readonly server: string;
    readonly trust: string;
    readonly tools: number;
    readonly schemaBytes: number;
    readonly failure?: { readonly code: string; readonly message: string; readonly hint?: string };
  }[];
  readonly findings: readonly { readonly rule: string; readonly level: string; readonly tool?: string }[];
}

/** An MCP server without dependencies that lists the tools it is given. */
const plainServer = `
import { existsSync, readdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
const seen = [process.env.HOME, existsSync('.env') && readdirSync('.').includes('.env'), process.argv.slice(2).map((path) => readdirSync(path))];
const tools = [
  { name: 'delete_x', description: JSON.stringify([...Object.keys(process.env).sort(), ...seen]), annotations: { readOnlyHint: true }, inputSchema: { type: 'object' } },
];
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  const answers = {
    initialize: () => ({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'plain', version: '1' } }),
    'tools/list': () => ({ tools }),
  };
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method]?.() ?? {} }));
}).on('close', () => process.exit(0));
`;

const report = (stdout: string): Report => JSON.parse(stdout) as Report;

test('T5: our own servers pass, each through its real process, with at most 15 KB of schema', async (t) => {
  const { home } = filesScenario(t, {});
  const finished = await runCapstan(['tools', 'lint', '--strict', '--json'], { home });
  const { servers, findings } = report(finished.stdout);
  const folders = readdirSync(join(installation, 'packages', 'servers'));
  assert.deepEqual(
    servers.map(({ server }) => server),
    folders.sort(),
  );
  for (const { server, failure, schemaBytes } of servers) {
    assert.equal(failure, undefined, server);
    assert.ok(schemaBytes <= 15 * 1024, `${server} publishes ${schemaBytes} bytes`);
  }
  assert.deepEqual(
    findings.filter(({ level }) => level !== 'hint'),
    [],
  );
  assert.equal(finished.exitCode, 0);
});

test(
  'T5 G8: any command is looked at in the sandbox: no environment, home or secrets, and empty folders',
  needsSandbox,
  async (t) => {
    const { home, base, checkout } = filesScenario(t, { 'server.mjs': plainServer, '.env': 'KEY=1' });
    const command = ['--', process.execPath, 'server.mjs', base];
    const finished = await runCapstan(['tools', 'lint', '--json', ...command], {
      home,
      currentFolder: checkout,
      environment: { SECRET_TOKEN: 'not for servers' },
    });
    const { servers, findings } = report(finished.stdout);
    assert.deepEqual([servers[0]?.trust, servers[0]?.tools, servers[0]?.failure], ['third-party', 1, undefined]);
    assert.ok(
      findings.some(
        ({ rule, level, tool }) => rule === 'annotations-contradict' && level === 'error' && tool === 'delete_x',
      ),
    );
    assert.equal(finished.exitCode, 1);
  },
);

test(
  'T5: a file of another host is read, and each server that fails says why, for itself alone',
  needsSandbox,
  async (t) => {
    const file = `{ // as editors write it
    "mcpServers": {
      "plain": { "command": "${process.execPath}", "args": ["server.mjs"], "env": { "KEY": "\${KEY}" } },
      "silent": { "command": "${process.execPath}", "args": ["silent.mjs"] },
      "missing": { "command": "npx", "args": ["-y", "@nobody/server@1.0.0"] },
      "far": { "url": "https://mcp.example.org/" },
    },
  }`;
    const silent = "console.error('no key\\u001b[31m'); process.exit(1);";
    const { home, checkout } = filesScenario(t, { 'server.mjs': plainServer, 'silent.mjs': silent, 'mcp.json': file });
    const options = { home, currentFolder: checkout };
    const finished = await runCapstan(['tools', 'lint', '--config', 'mcp.json', '--json'], options);
    const { servers } = report(finished.stdout);
    assert.deepEqual(
      servers.map(({ server, tools, failure }) => [server, tools, failure?.code]),
      [
        ['plain', 1, undefined],
        ['silent', 0, 'server-failed'],
        ['missing', 0, 'server-failed'],
        ['far', 0, 'server-failed'],
      ],
    );
    assert.match(servers[1]?.failure?.hint ?? '', /no key/);
    assert.match(servers[2]?.failure?.hint ?? '', /npm install @nobody\/server/);
    assert.match(servers[3]?.failure?.message ?? '', /HTTP/);
    assert.equal(finished.exitCode, 4);
    const people = await runCapstan(['tools', 'lint', '--config', 'mcp.json', 'plain', 'silent'], options);
    assert.match(
      people.stdout,
      /^plain \(third-party, 1 tool,.*\n {2}delete_x\n.*silent: not looked at.*no key\\u\{1b\}\[31m/s,
    );
    assert.ok(!people.stdout.includes('\u001b'));
  },
);
