import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const hook = fileURLToPath(new URL('testing/log-imports.mjs', import.meta.url));
const main = fileURLToPath(new URL('main.ts', import.meta.url));

/** What a command line loads from outside of the command line's own folder. */
function importsOf(t: TestContext, ...argv: string[]): string[] {
  const base = mkdtempSync(join(tmpdir(), 'capstan-start-'));
  t.after(() => rmSync(base, { recursive: true, force: true }));
  const log = join(base, 'imports');
  spawnSync(process.execPath, ['--import', hook, main, ...argv], {
    env: { PATH: process.env.PATH ?? '', HOME: base, IMPORTS: log },
  });
  return readFileSync(log, 'utf8').split('\n');
}

test('X1: version, help and wrong commands load the contracts and nothing else; no command is loaded for them', (t) => {
  for (const argv of [['--version'], ['--help'], ['run', '--help'], ['frobnicate', '--json']]) {
    const imports = importsOf(t, ...argv);
    assert.ok(
      imports.some((url) => url.endsWith('/cli/src/command-line.ts')),
      argv.join(' '),
    );
    const packages = imports.filter((url) => /\/packages\/(?!contracts\/)|\/cli\/src\/commands\//.test(url));
    assert.deepEqual(packages, [], argv.join(' '));
  }
});

test('X1: what a shell asks at each Tab loads no graph, no protocol and no parser', (t) => {
  const imports = importsOf(t, 'completion', '--sessions');
  assert.ok(imports.some((url) => url.endsWith('/commands/completion.ts')));
  assert.deepEqual(
    imports.filter((url) =>
      /langchain|modelcontextprotocol|oxc-parser|\/packages\/(agent|gateway|orchestration)\//.test(url),
    ),
    [],
  );
});
