import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemExecutable } from './executable.ts';
import { launchInSandbox } from './launch.ts';
import { openUppers } from './overlay-uppers.ts';
import { kindsHere, processesLeft, text } from './testing/attack-fixture.ts';
import { mountsNaming, type OverlayFixture, openOverlayFixture, overlaySkip } from './testing/overlay-fixture.ts';
import { tryOverlays } from './try-overlays.ts';

const searchPath = process.env.PATH ?? '';
const index = new URL('./index.ts', import.meta.url).href;
const shell = (script: string): string[] => ['/bin/sh', '-c', script];
const append = shell('echo more >> deps/pkg/index.js && rm -r deps/pkg/inner && cat deps/pkg/index.js');
const odd = 'session/a b,c:d=e\\f#g';

for (const { kind, skip: missing } of kindsHere(searchPath)) {
  const skip = missing || (await overlaySkip(kind, searchPath, tmpdir()));
  suite(`A6: overlays in ${kind}`, { skip }, () => {
    let fixture: OverlayFixture;
    before(async () => {
      fixture = await openOverlayFixture(kind, searchPath);
    });
    after(() => fixture.close());

    const run = async (argv: readonly string[], upper?: string): Promise<string> => {
      const output = await fixture.run(argv, fixture.overlay(upper));
      assert.equal(output.exitCode, 0, text(output.stderr));
      return text(output.stdout);
    };

    test('A6: what is written in memory is gone with the command', async () => {
      const below = fixture.lowerDigest();
      assert.equal(await run(append), 'original\nmore\n');
      assert.equal(await run(append), 'original\nmore\n');
      assert.equal(fixture.lowerDigest(), below);
    });

    test('A6: what is written to a folder is found by the next command, whatever the folder is called', async () => {
      mkdirSync(join(fixture.base, odd), { recursive: true });
      const below = fixture.lowerDigest();
      assert.equal(await run(append, join(fixture.base, odd)), 'original\nmore\n');
      assert.equal(
        await run(shell('cat deps/pkg/index.js; ls deps/pkg'), join(fixture.base, odd)),
        'original\nmore\nindex.js\n',
      );
      assert.equal(fixture.lowerDigest(), below);
    });

    test('A6: a folder below of any name, and masked files in it', async () => {
      const from = join(fixture.base, odd, 'lower');
      mkdirSync(from, { recursive: true });
      writeFileSync(join(from, 'file'), 'text');
      writeFileSync(join(from, '.env'), fixture.canary);
      const binds = [...fixture.profile().binds, { from, to: '/workspace/odd', access: 'overlay' as const }];
      const output = await fixture.run(shell('cat odd/file odd/.env; echo x > odd/file; mv odd/.env odd/shown'), {
        binds,
        masked: [join(from, '.env')],
      });
      assert.equal(text(output.stdout), 'text');
    });

    test('F9: what is written in memory has a size', async () => {
      const { limits } = fixture.profile();
      const output = await fixture.run(
        shell('head -c 3000000 /dev/zero > deps/a; head -c 3000000 /dev/zero > deps/b || echo full'),
        {
          ...fixture.overlay(),
          limits: { ...limits, temporaryBytes: 4_000_000 },
        },
      );
      assert.match(text(output.stdout), /full/);
    });

    test('F9: commands at the same time do not see what the others write', async () => {
      const uppers = openUppers(fixture.upper('parallel'), { kept: true, memory: false });
      const { binds } = fixture.overlay();
      const said = await Promise.all(
        ['one', 'two', 'three'].map(async (name) => {
          const use = await uppers.kept(binds);
          const script = `echo ${name} > deps/${name}; sleep 0.5; ls deps`;
          const output = await fixture.run(shell(script), { binds: use.binds });
          await use.end();
          return text(output.stdout);
        }),
      );
      assert.deepEqual(
        said.map((names) => names.split('\n').filter((name) => /^(one|two|three)$/.test(name)).length),
        [1, 1, 1],
      );
      const use = await uppers.kept(binds);
      assert.match(
        text((await fixture.run(shell('ls deps'), { binds: use.binds })).stdout),
        /^one$/m,
        'the first is kept',
      );
      await use.end();
      assert.equal(readdirSync(join(fixture.base, 'session/parallel')).length, 1, 'the others are removed');
    });

    test('A6: each process begins anew and removes what an earlier one left, unreadable folders included', async () => {
      const folder = fixture.upper('processes');
      const support = { kept: true, memory: true };
      const first = await openUppers(folder, support).kept(fixture.overlay().binds);
      await fixture.run(shell('mkdir -p deps/closed/inner; echo x > deps/closed/inner/x; chmod 0 deps/closed'), {
        binds: first.binds,
      });
      const [left = ''] = readdirSync(folder);
      chmodSync(join(folder, left), 0o700);
      const second = await openUppers(folder, support).kept(fixture.overlay().binds);
      const output = await fixture.run(shell('ls deps'), { binds: second.binds });
      assert.doesNotMatch(text(output.stdout), /closed/);
      assert.equal(existsSync(join(folder, left)), false);
    });

    test('A6: the trial says what works, and leaves nothing', async () => {
      const folder = fixture.upper('trial');
      const found = await tryOverlays({ kind, searchPath, folder, lowers: [fixture.lower] });
      assert.equal(found.kept, true);
      assert.deepEqual(readdirSync(folder), []);
      const impossible = await tryOverlays({ kind, searchPath, folder, lowers: [join(fixture.base, 'absent')] });
      assert.deepEqual([impossible.kept, impossible.memory], [false, false]);
      assert.match(impossible.detail, /no such file or folder/);
    });

    test('A6: on a disk that is an overlay itself, as in a container, what is written goes to memory', async (t) => {
      const [lower = '', upper = '', work = '', disk = ''] = ['lower', 'upper', 'work', 'disk'].map((name) =>
        fixture.upper(`container/${name}`),
      );
      mkdirSync(join(lower, 'session'));
      mkdirSync(join(lower, 'modules'));
      writeFileSync(join(lower, 'modules/file'), 'text');
      const trial = { kind, searchPath, folder: join(disk, 'session'), lowers: [join(disk, 'modules')] };
      const body = `import { tryOverlays } from ${JSON.stringify(index)};
        console.log(JSON.stringify(await tryOverlays(${JSON.stringify(trial)})));`;
      const options = `lowerdir=${lower},upperdir=${upper},workdir=${work},userxattr`;
      const script = `mount -t overlay overlay -o "$1" "$2" && shift 2 && exec "$@"`;
      const unshare = ['--user', '--map-root-user', '--mount', '--', '/bin/sh', '-c', script, 'sh', options, disk];
      const ended = spawnSync(
        systemExecutable('unshare') ?? '',
        [...unshare, process.execPath, '--input-type=module', '-e', body],
        {
          encoding: 'utf8',
        },
      );
      if (ended.status !== 0) return t.skip(`needs a disk that is an overlay: ${ended.stderr.slice(-200)}`);
      const { memory } = await tryOverlays({ kind, searchPath, folder: fixture.upper('trial'), lowers: [] });
      const found = JSON.parse(ended.stdout) as { kept: boolean; memory: boolean; detail: string };
      assert.deepEqual([found.kept, found.memory], [false, memory], found.detail);
      assert.match(found.detail, /overlay/);
    });

    test('G8: a server that is started directly gets no overlay', () => {
      const profile = fixture.profile(fixture.overlay());
      assert.throws(() => launchInSandbox(kind, profile, shell('true'), searchPath), { code: 'no-sandbox' });
    });

    test('T10: a host that is killed leaves no mount and no process, and its folder can be used again', async () => {
      const upper = fixture.upper('killed');
      for (const delay of [0, 10, 20, 40, 80, 160, 320]) {
        const mark = randomUUID();
        const profile = fixture.profile(fixture.overlay(upper));
        const script = `
          import { createSandboxRunner } from ${JSON.stringify(index)};
          const runner = createSandboxRunner({ kind: ${JSON.stringify(kind)}, searchPath: ${JSON.stringify(searchPath)} });
          const argv = ['/bin/sh', '-c', 'while :; do echo more >> deps/pkg/index.js; sleep 0.05; done # ${mark}'];
          setInterval(() => {}, 1000);
          console.log('go');
          runner.run({ argv, profile: ${JSON.stringify(profile)} });`;
        const host = spawn(process.execPath, ['--input-type=module', '-e', script], {
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        await once(host.stdout, 'data');
        await sleep(delay);
        host.kill('SIGKILL');
        await once(host, 'exit');
        assert.deepEqual(await processesLeft(mark), [], `after ${delay} ms`);
        assert.deepEqual(mountsNaming(fixture.base), []);
      }
      assert.match(await run(append, upper), /^original\n/);
      assert.equal(readFileSync(join(fixture.lower, 'pkg/index.js'), 'utf8'), 'original\n');
    });
  });
}
