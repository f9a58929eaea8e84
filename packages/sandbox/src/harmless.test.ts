import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { sandboxHome } from './root-layout.ts';
import { type AttackFixture, kindsHere, openAttackFixture, text } from './testing/attack-fixture.ts';
import { toolchainFor } from './toolchain.ts';

const searchPath = process.env.PATH ?? '';
const shell = (script: string): string[] => ['/bin/sh', '-c', script];

for (const { kind, skip } of kindsHere(searchPath)) {
  suite(`F9: harmless things in ${kind}`, { skip }, () => {
    let fixture: AttackFixture;
    before(async () => {
      fixture = await openAttackFixture(kind, searchPath);
    });
    after(() => fixture.close());

    test('F9: files of the workspace belong to the user of the host', async () => {
      const output = await fixture.run(
        shell('mkdir made && echo text > made/file && chmod 755 made/file && cat made/file'),
      );
      assert.equal(text(output.stdout), 'text\n', text(output.stderr));
      const file = join(fixture.base, 'workspace/made/file');
      assert.equal(readFileSync(file, 'utf8'), 'text\n');
      assert.equal(statSync(file).uid, process.getuid?.());
      writeFileSync(file, 'again');
      const second = await fixture.run(shell('cat made/file; echo more >> made/file; rm -r made'));
      assert.equal(text(second.stdout), 'again', text(second.stderr));
    });

    test('F9: a private /tmp and home', async () => {
      // A Node that lies below /tmp is bound there, in a folder of the private /tmp.
      const entries = process.execPath.startsWith('/tmp/') ? '[34]' : '3';
      const script = 'cd ~ && pwd && mktemp && touch /dev/shm/x /var/tmp/y && ls /tmp | grep -c .';
      const output = await fixture.run(shell(script));
      assert.match(
        text(output.stdout),
        new RegExp(`^${sandboxHome}\n/tmp/tmp\\.\\w+\n${entries}\n$`),
        text(output.stderr),
      );
    });

    test('F9: the environment is the one of the profile', async () => {
      const output = await fixture.run(['env'], { environment: { PATH: '/usr/bin:/bin', ODD: 'a b\nc=$d' } });
      assert.equal(text(output.stdout), 'PATH=/usr/bin:/bin\nODD=a b\nc=$d\n');
    });

    test('F9: child processes, pipes and exit codes', async () => {
      const output = await fixture.run(
        shell('for i in 1 2 3; do (echo $i) & done; wait; echo out | tr a-z A-Z >&2; exit 7'),
      );
      assert.equal(output.exitCode, 7);
      assert.deepEqual(text(output.stdout).trim().split('\n').sort(), ['1', '2', '3']);
      assert.equal(text(output.stderr), 'OUT\n');
      assert.equal((await fixture.run(shell('kill -TERM $$'))).exitCode, 143);
    });

    test('F9: signals to a child work as usual', async () => {
      const output = await fixture.run(shell('sleep 100 & kill -INT $!; kill -TERM $!; wait $!; echo $?'));
      assert.match(text(output.stdout), /^(130|143)\n$/);
    });

    test('F9: a server and a client on the loopback', async () => {
      const script = `const server = require('node:http').createServer((_, r) => r.end('hello')).listen(0, 'localhost', async () => {
        console.log(await (await fetch('http://localhost:' + server.address().port)).text()); server.close(); });`;
      const output = await fixture.run([process.execPath, '-e', script]);
      assert.equal(text(output.stdout), 'hello\n', text(output.stderr));
    });

    test('F9: standard input', async () => {
      const input = Buffer.from('some input');
      assert.equal(text((await fixture.run(['cat'], {}, { input })).stdout), 'some input');
      assert.equal(text((await fixture.run(['cat'])).stdout), '');
    });

    test('F9: output comes while the command runs', async () => {
      const seen: string[] = [];
      const onOutput = (stream: string, chunk: Uint8Array): number => seen.push(`${stream} ${text(chunk)}`);
      await fixture.run(shell('echo one; sleep 0.2; echo two >&2'), {}, { onOutput });
      assert.deepEqual(seen, ['stdout one\n', 'stderr two\n']);
    });

    test('F9: npm test with child processes', async (t) => {
      const toolchain = await toolchainFor(['node', 'npm'], searchPath);
      if (toolchain.missing.length > 0) return t.skip(`needs ${toolchain.missing.join(', ')}: not on the PATH`);
      const project = join(fixture.base, 'workspace/project');
      mkdirSync(project);
      writeFileSync(join(project, 'package.json'), JSON.stringify({ scripts: { test: 'node --test' } }));
      writeFileSync(join(project, 'a.test.js'), `require('node:test')('adds', () => {})`);
      const output = await fixture.run(['npm', 'test'], {
        binds: [...fixture.profile().binds, ...toolchain.binds],
        environment: toolchain.environment,
        workingDirectory: '/workspace/project',
      });
      assert.equal(output.exitCode, 0, text(output.stderr));
      assert.match(text(output.stdout), /pass 1\n/);
    });

    for (const [program, pattern] of [
      ['python3', /^Python 3/],
      ['pytest', /^pytest \d/],
      ['cargo', /^cargo \d/],
      ['go', /^go version/],
      ['make', /Make/],
      ['git', /^git version/],
    ] as const) {
      test(`F9: ${program} of the host runs`, async (t) => {
        const toolchain = await toolchainFor([program], searchPath);
        if (toolchain.missing.length > 0) return t.skip(`needs ${program}: not on the PATH`);
        const argv = [program, program === 'go' ? 'version' : '--version'];
        const output = await fixture.run(argv, {
          binds: toolchain.binds,
          environment: toolchain.environment,
          workingDirectory: '/tmp',
        });
        assert.equal(output.exitCode, 0, text(output.stderr));
        assert.match(text(output.stdout), pattern);
      });
    }

    test('F9: git in the workspace', async (t) => {
      const toolchain = await toolchainFor(['git'], searchPath);
      if (toolchain.missing.length > 0) return t.skip('needs git: not on the PATH');
      const repository = join(fixture.base, 'workspace/repository');
      execFileSync('git', ['init', '-q', repository]);
      writeFileSync(join(repository, 'file'), 'text');
      const output = await fixture.run(['git', '-C', 'repository', 'status', '--porcelain']);
      assert.equal(text(output.stdout), '?? file\n', text(output.stderr));
    });

    test('F9: links and odd names', async () => {
      const script =
        'mkdir -p "ordner ü/深" && echo x > "ordner ü/深/a b" && ln -s "ordner ü" l && cat "l/深/a b" /library/file && rm -r l "ordner ü"';
      assert.equal(text((await fixture.run(shell(script))).stdout), 'x\nlibrary');
    });

    test('F9: binds over binds, hidden places, odd paths of the host', async () => {
      const odd = join(fixture.base, 'odd \\ #\tname');
      mkdirSync(odd);
      writeFileSync(join(odd, 'file'), 'odd');
      const binds = [
        ...fixture.profile().binds,
        { from: odd, to: '/workspace/dependencies with space', access: 'read' as const },
        { from: join(odd, 'file'), to: '/tmp/single', access: 'read' as const },
      ];
      const script =
        'cat "dependencies with space/file" /tmp/single; touch "dependencies with space/x"; stat -c "%F %s" .env; ls vault | wc -l';
      const output = await fixture.run(shell(script), { binds });
      assert.match(text(output.stdout), /^oddoddregular empty file 0\n0\n$/, text(output.stderr));
      assert.match(text(output.stderr), /Read-only file system/);
    });

    test('F9: a terminal of its own', async (t) => {
      const toolchain = await toolchainFor(['python3'], searchPath);
      if (toolchain.missing.length > 0) return t.skip('needs python3: not on the PATH');
      const script = 'import pty, os; pty.spawn(["/bin/sh", "-c", "test -t 1 && echo terminal"])';
      const output = await fixture.run(['python3', '-c', script], {
        binds: [...fixture.profile().binds, ...toolchain.binds],
        environment: toolchain.environment,
      });
      assert.match(text(output.stdout), /terminal/, text(output.stderr));
    });
  });
}
