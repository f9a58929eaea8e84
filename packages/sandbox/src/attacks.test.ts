import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type AttackFixture, openAttackFixture, text } from './attack-fixture.ts';
import { type Attack, attacks } from './attack-list.ts';
import { findExecutable, systemExecutable } from './executable.ts';

const searchPath = process.env.PATH ?? '';
const corePattern = (): string => readFileSync('/proc/sys/kernel/core_pattern', 'utf8');

function argvOf(attack: Attack): string[] | undefined {
  if (attack.language === 'sh') return ['/bin/sh', '-c', `${attack.script}\necho TRIED`];
  if (attack.language === 'node') return [process.execPath, '-e', attack.script];
  const perl = systemExecutable('perl');
  return perl === undefined ? undefined : [perl, '-e', attack.script];
}

/** The same attempt without a sandbox: it has to succeed, or it shows nothing. */
function succeedsOutside(fixture: AttackFixture, argv: readonly string[]): Promise<boolean> {
  const [program = '', ...rest] = argv;
  const env = { PATH: searchPath, ...fixture.targets, SECRET: fixture.canary };
  const script = `const { execFile } = require('node:child_process');
    execFile(process.argv[1], process.argv.slice(2), { maxBuffer: 1e9, encoding: 'latin1' }, (e, out) => process.stdout.write(out));`;
  return new Promise((resolve) => {
    import('node:child_process').then(({ spawn }) => {
      const child = spawn(process.execPath, ['-e', script, program, ...rest], {
        cwd: join(fixture.base, 'workspace'),
        env,
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const pieces: Buffer[] = [];
      child.stdout.on('data', (piece: Buffer) => pieces.push(piece));
      child.on('close', () => {
        const output = Buffer.concat(pieces).toString('latin1');
        resolve(output.includes('ESCAPED') || output.includes(fixture.canary));
      });
    });
  });
}

for (const kind of ['bubblewrap', 'util-linux'] as const) {
  const tool = kind === 'bubblewrap' ? findExecutable('bwrap', searchPath) : systemExecutable('unshare');
  suite(`G8: attacks in ${kind}`, { skip: tool === undefined && `needs ${kind}: not on the PATH` }, () => {
    let fixture: AttackFixture;
    before(async () => {
      fixture = await openAttackFixture(kind, searchPath);
      process.env.CAPSTAN_TEST_SECRET = fixture.canary;
    });
    after(async () => {
      delete process.env.CAPSTAN_TEST_SECRET;
      await fixture.close();
    });

    for (const attack of attacks) {
      test(`F9: stopped: ${attack.name}`, async (t) => {
        const argv = argvOf(attack);
        if (argv === undefined) return t.skip('needs perl: not installed');
        if (attack.control) assert.ok(await succeedsOutside(fixture, argv), 'the attempt fails outside as well');
        const core = corePattern();
        const connections = fixture.connections();
        const output = await fixture.run(argv);
        const said = text(output.stdout);
        assert.equal(output.ended, 'exit', text(output.stderr));
        assert.match(said, /TRIED/, text(output.stderr));
        assert.doesNotMatch(said, /ESCAPED/);
        assert.ok(!said.includes(fixture.canary));
        assert.equal(fixture.connections(), connections);
        assert.equal(corePattern(), core);
        assert.equal(fixture.victim.exitCode ?? fixture.victim.signalCode, null);
        assert.equal(readFileSync(join(fixture.base, 'library/file'), 'utf8'), 'library');
        assert.equal(existsSync(join(fixture.base, 'escaped')), false);
      });
    }
  });
}

test('G8: the same holds for an unprivileged user', (t) => {
  if (process.getuid?.() !== 0) return t.skip('needs root: this is the run of an unprivileged user');
  const { NODE_TEST_CONTEXT: _, ...environment } = process.env;
  const nobody = ['--reuid', '65534', '--regid', '65534', '--clear-groups'];
  const own = fileURLToPath(import.meta.url);
  const accessible = spawnSync('setpriv', [
    ...nobody,
    process.execPath,
    '-e',
    `require('node:fs').readFileSync(${JSON.stringify(own)})`,
  ]);
  if (accessible.status !== 0) return t.skip('needs sources that other users can read');
  execFileSync('setpriv', [...nobody, process.execPath, '--test', own], {
    env: { ...environment, HOME: '/nonexistent' },
  });
});
