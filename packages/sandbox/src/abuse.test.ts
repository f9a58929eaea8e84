import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import type { SandboxLimits } from '@capstan/contracts';
import { defaultLimits } from './default-limits.ts';
import { systemExecutable } from './executable.ts';
import { treeUse } from './process-tree.ts';
import { createSandboxRunner } from './sandbox-runner.ts';
import { type AttackFixture, kindsHere, openAttackFixture, processesWith, text } from './testing/attack-fixture.ts';

const searchPath = process.env.PATH ?? '';
const mebibyte = 1024 * 1024;
const limits = (change: Partial<SandboxLimits>): { limits: SandboxLimits } => ({
  limits: { ...defaultLimits, milliseconds: 60_000, ...change },
});
const shell = (script: string): string[] => ['/bin/sh', '-c', script];

for (const { kind, skip } of kindsHere(searchPath)) {
  suite(`T10: limits in ${kind}`, { skip }, () => {
    let fixture: AttackFixture;
    before(async () => {
      fixture = await openAttackFixture(kind, searchPath);
    });
    after(() => fixture.close());

    test('T10: a daemon in a session of its own ends with the call', async () => {
      const mark = randomUUID();
      const daemon = `setsid sh -c "trap '' HUP TERM; while :; do sleep 1; done # ${mark}" >/dev/null 2>&1 </dev/null &`;
      const output = await fixture.run(shell(`${daemon} sleep 0.2; ls /proc/[0-9]*/cmdline | wc -l`));
      assert.equal(output.exitCode, 0, text(output.stderr));
      assert.deepEqual(processesWith(mark), []);
    });

    test('T10: a background process that holds the pipes does not delay the end', async () => {
      const mark = randomUUID();
      const output = await fixture.run(shell(`sh -c 'sleep 1000 # ${mark}' & echo done`));
      assert.equal(output.ended, 'exit');
      assert.equal(text(output.stdout), 'done\n');
      assert.deepEqual(processesWith(mark), []);
    });

    test('T10: an endless loop is killed at its time', async () => {
      const mark = randomUUID();
      const output = await fixture.run(shell(`while :; do :; done # ${mark}`), limits({ milliseconds: 400 }));
      assert.equal(output.ended, 'timed-out');
      assert.equal(output.signal, 'SIGKILL');
      assert.deepEqual(processesWith(mark), []);
    });

    test('T10: ignoring signals and closing all pipes helps nobody', async () => {
      const mark = randomUUID();
      const script = `trap '' TERM INT HUP; exec >&- 2>&- <&-; (setsid sleep 1000 &); while :; do sleep 1; done # ${mark}`;
      const output = await fixture.run(shell(script), limits({ milliseconds: 400 }));
      assert.equal(output.ended, 'timed-out');
      assert.deepEqual(processesWith(mark), []);
    });

    test('T10: the caller can cancel', async () => {
      const mark = randomUUID();
      const controller = new AbortController();
      const script = `echo ready; setsid sleep 1000 & sleep 1000 # ${mark}`;
      const onOutput = (): void => controller.abort();
      const output = await fixture.run(shell(script), {}, { signal: controller.signal, onOutput });
      assert.equal(output.ended, 'cancelled');
      assert.equal(text(output.stdout), 'ready\n');
      assert.deepEqual(processesWith(mark), []);
    });

    test('T10: a flood of output is cut, counted and does not fill memory', async () => {
      const bytes = 50 * mebibyte;
      const script = `head -c ${bytes} /dev/zero; head -c ${bytes} /dev/zero >&2`;
      const output = await fixture.run(shell(script), limits({ outputBytes: 1000 }));
      assert.equal(output.exitCode, 0);
      assert.equal(output.stdout.length, 1000);
      assert.equal(output.stderr.length, 1000);
      assert.equal(output.dropped, 2 * (bytes - 1000));
    });

    test('T10: a fork bomb is bounded', async (t) => {
      const perl = systemExecutable('perl');
      if (perl === undefined) return t.skip('needs perl: not installed');
      const script = `$| = 1; for (1..2000) { my $p = fork; last unless defined $p; if (!$p) { sleep 1000; exit } $n++; } print "forked $n\\n";`;
      const output = await fixture.run([perl, '-e', script], limits({ processes: 40, milliseconds: 20_000 }));
      const forked = /forked (\d+)/.exec(text(output.stdout))?.[1];
      assert.ok(forked === undefined ? output.signal === 'SIGKILL' : Number(forked) < 40, `forked ${forked}`);
      assert.ok(treeUse(process.pid, 1000).tasks < 200);
    });

    test('T10: a fork bomb that multiplies is bounded', async () => {
      const mark = randomUUID();
      const script = `bomb() { bomb | bomb & }; bomb; sleep 1 # ${mark}`;
      let most = 0;
      const look = setInterval(() => {
        most = Math.max(most, processesWith(mark).length);
      }, 50);
      const output = await fixture.run(shell(script), limits({ processes: 60, milliseconds: 3000 }));
      clearInterval(look);
      assert.ok(most <= 80, `${most} processes at once`);
      assert.notEqual(output.ended, 'not-started');
      assert.deepEqual(processesWith(mark), []);
    });

    test('T10: memory is limited to what is resident', async () => {
      const script = `const kept = []; for (let i = 0; i < 60; i += 1) { kept.push(Buffer.alloc(${20 * mebibyte}, 1)); const end = Date.now() + 20; while (Date.now() < end); } console.log('ALL', kept.length);`;
      const output = await fixture.run([process.execPath, '-e', script], limits({ memoryBytes: 300 * mebibyte }));
      assert.doesNotMatch(text(output.stdout), /ALL/);
      assert.match(text(output.stderr), /over the memory limit/);
      assert.ok(output.exitCode !== 0);
    });

    test('T10: memory and processes are limited without control groups', async () => {
      const runner = createSandboxRunner({ kind, searchPath, controlGroups: false });
      const grow = `const kept = []; setInterval(() => kept.push(Buffer.alloc(${20 * mebibyte}, 1)), 20);`;
      const hog = fixture.profile(limits({ memoryBytes: 300 * mebibyte, milliseconds: 20_000 }));
      const large = await runner.run({ argv: [process.execPath, '-e', grow], profile: hog });
      assert.deepEqual([large.ended, large.signal], ['exit', 'SIGKILL']);
      assert.match(text(large.stderr), /over the memory limit/);
      const mark = randomUUID();
      const crowd = fixture.profile(limits({ processes: 40, milliseconds: 20_000 }));
      const ten = 'for j in 1 2 3 4 5 6 7 8 9 10; do sleep 1000 & done; sleep 0.1';
      const script = `for i in 1 2 3 4 5 6 7 8 9 10; do ${ten}; done; echo ALL # ${mark}`;
      const many = await runner.run({ argv: shell(script), profile: crowd });
      assert.equal(many.ended, 'exit');
      assert.doesNotMatch(text(many.stdout), /ALL/);
      assert.deepEqual(processesWith(mark), []);
    });

    test('T10: reserved but unused memory is not limited', async () => {
      const script = 'new WebAssembly.Memory({ initial: 1, maximum: 65536 }); console.log("fine")';
      const output = await fixture.run([process.execPath, '-e', script], limits({ memoryBytes: 300 * mebibyte }));
      assert.equal(text(output.stdout), 'fine\n', text(output.stderr));
    });

    test('T10: /tmp, /dev/shm and single files have a size', async () => {
      const fill = (path: string): string => `head -c ${20 * mebibyte} /dev/zero > ${path} && echo FILLED ${path}`;
      const script = [fill('/tmp/a'), fill('/dev/shm/a'), fill('/var/tmp/b'), fill('/workspace/big')].join('; ');
      const output = await fixture.run(shell(`${script}; echo end`), limits({ temporaryBytes: 5 * mebibyte }));
      assert.equal(text(output.stdout), 'end\n');
      assert.ok(statSync(join(fixture.base, 'workspace/big')).size <= 5 * mebibyte);
    });

    test('G8: what a profile names never reaches the launcher', async () => {
      const planted = join(fixture.base, 'workspace/bin');
      const environment = {
        PATH: `${planted}:/workspace/bin:/usr/bin:/bin`,
        LD_PRELOAD: '/workspace/absent.so',
        NODE_OPTIONS: '--require=/workspace/absent.js',
        BASH_ENV: '/workspace/absent.sh',
        ENV: '/workspace/absent.sh',
        PERL5OPT: '-Mabsent',
        LIBMOUNT_FSTAB: '/workspace/absent',
      };
      const output = await fixture.run(['/bin/true'], { environment });
      assert.equal(output.exitCode, 0, text(output.stderr));
      assert.equal(
        text(output.stderr).split('cannot be preloaded').length,
        2,
        'only the command itself saw LD_PRELOAD',
      );
      assert.equal(existsSync(join(fixture.base, 'escaped')), false);
    });

    test('G8: arguments arrive as they are', async () => {
      const odd = [
        'a b',
        'c\nd',
        '--help',
        '-x',
        '$(id)',
        '`id`',
        "'",
        '"',
        '\\',
        '*',
        '',
        'ünïcode ✓',
        '=',
        'A=B',
        '--',
      ];
      const script = 'console.log(JSON.stringify(process.argv.slice(1)))';
      const output = await fixture.run([process.execPath, '-e', script, '--', ...odd]);
      assert.deepEqual(JSON.parse(text(output.stdout)), odd);
    });

    test('G8: what cannot be contained as asked is not started', async () => {
      const refused = [
        await fixture.run([]),
        await fixture.run(['']),
        await fixture.run(['true', 'a\0b']),
        await fixture.run(['A=B', 'true']),
        await fixture.run(['true'], { environment: { 'A=B': 'c' } }),
        await fixture.run(['true'], { environment: { A: 'b\0c' } }),
        await fixture.run(['true'], { workingDirectory: '/absent' }),
        await fixture.run(['true'], { workingDirectory: '--help' }),
        await fixture.run(['true'], { binds: [{ from: '/usr', to: '/workspace/../etc', access: 'read' }] }),
        await fixture.run(['true'], { binds: [{ from: '/usr', to: '/proc/x', access: 'read' }] }),
        await fixture.run(['true'], { binds: [{ from: '/usr', to: '/', access: 'read' }] }),
        await fixture.run(['true'], { binds: [{ from: 'usr', to: '/x', access: 'read' }] }),
        await fixture.run(['true'], { binds: [{ from: '/absent', to: '/x', access: 'read' }] }),
      ];
      for (const output of refused) {
        assert.equal(output.ended, 'not-started');
        assert.equal(output.exitCode === 0, false);
        assert.notEqual(text(output.stderr), '');
      }
    });

    test('G8: a program whose name looks like an option is only not found', async () => {
      const output = await fixture.run(['--version'], { workingDirectory: '/tmp' });
      assert.deepEqual([output.ended, output.exitCode, text(output.stdout)], ['exit', 127, '']);
    });
  });
}
