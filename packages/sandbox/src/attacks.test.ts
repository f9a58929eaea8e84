import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { systemExecutable } from './executable.ts';
import { type AttackFixture, kindsHere, openAttackFixture, text } from './testing/attack-fixture.ts';
import { type Attack, attacks } from './testing/attack-list.ts';

const searchPath = process.env.PATH ?? '';
const corePattern = (): string => readFileSync('/proc/sys/kernel/core_pattern', 'utf8');

function argvOf(attack: Attack): string[] | undefined {
  if (attack.language === 'sh') return ['/bin/sh', '-c', `${attack.script}\necho TRIED`];
  if (attack.language === 'node') return [process.execPath, '-e', attack.script];
  const perl = systemExecutable('perl');
  return perl === undefined ? undefined : [perl, '-e', attack.script];
}

/** The same attempt without a sandbox: it has to succeed, or it shows nothing. */
async function succeedsOutside(fixture: AttackFixture, argv: readonly string[]): Promise<boolean> {
  const [program = '', ...rest] = argv;
  const env = { PATH: searchPath, ...fixture.targets, SECRET: fixture.canary };
  const script = `const { execFile } = require('node:child_process');
    execFile(process.argv[1], process.argv.slice(2), { maxBuffer: 1e9, encoding: 'latin1' }, (e, out) => process.stdout.write(out));`;
  const child = spawn(process.execPath, ['-e', script, program, ...rest], {
    cwd: join(fixture.base, 'workspace'),
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const pieces: Buffer[] = [];
  child.stdout.on('data', (piece: Buffer) => pieces.push(piece));
  await once(child, 'close');
  const output = Buffer.concat(pieces).toString('latin1');
  return output.includes('ESCAPED') || output.includes(fixture.canary);
}

for (const { kind, skip } of kindsHere(searchPath)) {
  suite(`G8: attacks in ${kind}`, { skip }, () => {
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
