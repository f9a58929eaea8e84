/** A repository whose checks pass, fail, hang, flood, leave processes behind and try to get out. */
export function hostileRepository(marker: string): Record<string, string> {
  return {
    'package.json': JSON.stringify({
      name: 'hostile',
      type: 'module',
      scripts: {
        'test:pass': 'node --test pass.test.mjs',
        'test:fail': 'node --test fail.test.mjs',
        'test:swallowed': 'node --test fail.test.mjs || true',
        'test:liar': 'node --test pass.test.mjs && exit 3',
        'test:hang': 'node --test hang.test.mjs',
        'test:own-reporter': 'node --test --test-reporter=dot fail.test.mjs',
        'test:flood': 'node flood.mjs',
        'test:left': `sleep ${marker} & echo left`,
        'test:daemon': 'node daemon.mjs',
        'test:wait': `sleep ${marker}`,
        'test:probe': 'node probe.mjs',
        'test:report-link': 'node link.mjs',
      },
    }),
    'pass.test.mjs': `import { test } from 'node:test'; test('adds', () => {}); test.skip('later', () => {});`,
    'fail.test.mjs': `import { describe, it, test } from 'node:test'; import assert from 'node:assert';
      describe('cart', () => { it('totals', () => assert.equal(1, 2)); it('counts', () => {}); });
      test('colours', () => { throw new Error('\\u001b[31mred\\u001b[0m'); });`,
    'hang.test.mjs': `import { test } from 'node:test'; test('quick', () => {});
      test('never ends', async () => { setInterval(() => {}, 1000); await new Promise(() => {}); });`,
    'flood.mjs': `process.stdout.write('begin\\n'); const piece = '漢'.repeat(87381);
      for (let i = 0; i < 80; i += 1) process.stdout.write(piece); process.stdout.write('\\nthe end\\n');`,
    'daemon.mjs': `import { spawn } from 'node:child_process';
      spawn('setsid', ['sleep', '${marker}'], { detached: true, stdio: 'ignore' }).unref(); console.log('started');`,
    'probe.mjs': `import { connect } from 'node:net'; import fs from 'node:fs';
      const attempt = (name, act) => { try { console.log(name + ': ' + act()); } catch (error) { console.log(name + ': ' + error.code); } };
      attempt('environment', () => JSON.stringify(process.env));
      attempt('secret', () => JSON.stringify(fs.readFileSync('.env', 'utf8')));
      attempt('hook', () => fs.writeFileSync('.git/hooks/pre-commit', 'x') ?? 'written');
      attempt('config', () => fs.writeFileSync('.git/config', 'x') ?? 'written');
      attempt('outside', () => fs.writeFileSync('/usr/planted', 'x') ?? 'written');
      attempt('accounts', () => fs.readFileSync('/etc/shadow', 'utf8').length);
      attempt('home', () => fs.readdirSync('/home').length + fs.readdirSync('/root').length);
      attempt('source', () => fs.writeFileSync('made.txt', 'x') ?? 'written');
      const socket = connect(Number(fs.readFileSync('port', 'utf8')), '127.0.0.1');
      socket.on('connect', () => { console.log('network: connected'); process.exit(0); });
      socket.on('error', (error) => console.log('network: ' + error.code));`,
    'link.mjs': `import fs from 'node:fs'; import { test } from 'node:test'; test('x', () => {});
      const report = process.env.CAPSTAN_TEST_REPORT; process.on('exit', () => {
        if (report) { fs.rmSync(report, { force: true }); fs.symlinkSync('/etc/hostname', report); } });`,
    '.env': 'TOKEN=canary-in-file\n',
    '.git/hooks/pre-commit.sample': '',
    '.git/config': '[remote "origin"]\n\turl = https://user:canary-in-url@host/\n',
  };
}
