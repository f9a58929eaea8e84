import assert from 'node:assert/strict';
import { lstatSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { systemExecutable } from './executable.ts';
import { kindsHere, text } from './testing/attack-fixture.ts';
import { attacks } from './testing/attack-list.ts';
import { mountsNaming, type OverlayFixture, openOverlayFixture, overlaySkip } from './testing/overlay-fixture.ts';

const searchPath = process.env.PATH ?? '';

/** Sets an attribute of the overlay's own kind, as an overlay would on its upper folder. */
const setAttribute = (path: string, name: string, value: string): string => `
my $n = \`uname -m\` =~ /aarch64/ ? 5 : 188;
my ($path, $name, $value) = ('${path}', '${name}', '${value}');
syscall($n, $path, $name, $value, length $value, 0);`;

/** Attempts on an overlay; each goes on whatever fails, prints ESCAPED or the canary when it succeeds. */
const attempts: readonly { readonly name: string; readonly language?: 'perl'; readonly script: string }[] = [
  {
    name: 'change, cut, rename and remove what lies below',
    script: `cd deps; echo more >> pkg/index.js; true > pkg/inner/file; mv pkg/inner pkg/other; rm -r pkg; mkdir pkg;
      echo own > pkg/index.js; ln -sfn /workspace pkg/link; chmod 0777 . ; touch -d @0 .`,
  },
  {
    name: 'write through a hard link in the workspace',
    script: 'ln deps/pkg/index.js hard && echo more >> hard; ln deps/pkg/index.js deps/hard && echo more >> deps/hard',
  },
  {
    name: 'find the layers',
    script: `for f in /.layers /sys /sys/.layers /mnt/* /proc/1/root/.layers /proc/1/root/sys; do [ -e "$f" ] && echo ESCAPED; done
      [ "$(find / -xdev -name index.js -path '*pkg*' 2>/dev/null | grep -vc ^/workspace/)" = 0 ] || echo ESCAPED
      find / -type d \\( -name upper -o -name work \\) 2>/dev/null | grep -E "^/(sys|mnt|\\.)" && echo ESCAPED`,
  },
  {
    name: 'see paths of the host in the mount table',
    script:
      'grep -F "$BASE/session" /proc/self/mountinfo && echo ESCAPED; grep overlay /proc/self/mountinfo | grep -F "$BASE" && echo ESCAPED',
  },
  {
    name: 'climb out by ..',
    script: 'cat deps/../../checkout/neighbour deps/up deps/../neighbour; cd deps && cat ../../neighbour',
  },
  { name: 'follow a link below to a secret', script: 'cat deps/away "deps/../../$BASE/home/.ssh/id"' },
  {
    name: 'unmount or remount the overlay',
    script: `umount -l deps && echo ESCAPED; mount -o remount,rw,suid,dev deps && echo ESCAPED
      mount -t overlay overlay -o lowerdir=/usr,upperdir=/tmp,workdir=/var deps && echo ESCAPED`,
  },
  {
    name: 'make devices and whiteouts',
    script: `mknod deps/null c 1 3 && echo ESCAPED; mknod deps/disk b 8 0 && echo ESCAPED; mknod deps/white c 0 0 && echo ESCAPED`,
  },
  {
    name: 'make a set-user-id file',
    language: 'perl',
    script: `open my $f, '>', 'deps/suid'; close $f; chmod 04755, 'deps/suid'; print "ESCAPED\\n" if -u 'deps/suid';
      chmod 04755, 'deps/pkg/index.js'; print "ESCAPED\\n" if -u 'deps/pkg/index.js';`,
  },
  {
    name: 'turn folders by attributes of the overlay',
    language: 'perl',
    script: `mkdir 'deps/turned'; ${['redirect', 'opaque', 'metacopy', 'origin']
      .map((name) => `{ ${setAttribute('deps/turned', `user.overlay.${name}`, '/../neighbour')} }`)
      .join('\n')} { ${setAttribute('deps/pkg', 'user.overlay.redirect', '/../../home/.ssh')} }
      { ${setAttribute('deps/pkg', 'trusted.overlay.redirect', '/../../home/.ssh')} } print \`cat deps/turned/* deps/turned deps/pkg/id\`;`,
  },
];

for (const { kind, skip: missing } of kindsHere(searchPath)) {
  const skip = missing || (await overlaySkip(kind, searchPath, tmpdir()));
  suite(`G8: attacks on overlays in ${kind}`, { skip }, () => {
    let fixture: OverlayFixture;
    before(async () => {
      fixture = await openOverlayFixture(kind, searchPath);
    });
    after(() => fixture.close());

    const stopped = async (argv: readonly string[], upper?: string): Promise<void> => {
      const below = fixture.lowerDigest();
      const output = await fixture.run(argv, fixture.overlay(upper));
      const said = text(output.stdout);
      assert.equal(output.ended, 'exit', text(output.stderr));
      assert.match(said, /TRIED/, text(output.stderr));
      assert.doesNotMatch(said, /ESCAPED/, said);
      assert.ok(!said.includes(fixture.canary));
      assert.equal(fixture.lowerDigest(), below, 'what lies below is as it was');
      assert.deepEqual(mountsNaming(fixture.base), [], 'nothing is mounted on the host');
    };

    for (const [index, { name, language, script }] of attempts.entries()) {
      test(`F9: stopped: ${name}`, async (t) => {
        const perl = systemExecutable('perl');
        if (language === 'perl' && perl === undefined) return t.skip('needs perl: not installed');
        const argv =
          language === 'perl' && perl !== undefined
            ? [perl, '-e', `${script}\nprint "TRIED\\n";`]
            : ['/bin/sh', '-c', `${script}\necho TRIED`];
        const upper = fixture.upper(`upper-${index}`);
        await stopped(argv);
        await stopped(argv, upper);
        // Once more on what the first attempt left, and then looked at from inside.
        await stopped(argv, upper);
        await stopped(['/bin/sh', '-c', 'cat deps/*/* deps/* 2>/dev/null; echo TRIED'], upper);
        for (const path of entriesOf(join(upper, 'upper'))) {
          const { mode, rdev } = lstatSync(path);
          assert.deepEqual([mode & 0o6000, rdev], [0, 0], path);
        }
      });
    }

    test('F9: attributes that the checkout brings along lead nowhere', async (t) => {
      const perl = systemExecutable('perl');
      if (perl === undefined) return t.skip('needs perl: not installed');
      const outside = join(fixture.lower, 'pkg');
      const { execFileSync } = await import('node:child_process');
      for (const name of ['redirect', 'metacopy']) {
        execFileSync(perl, ['-e', setAttribute(outside, `user.overlay.${name}`, '/../../home/.ssh')]);
      }
      await stopped(['/bin/sh', '-c', 'cat deps/pkg/id deps/id; grep -q original deps/pkg/index.js && echo TRIED']);
    });

    test('F9: attacks on the sandbox fail beside an overlay as well', async (t) => {
      const chosen = attacks.filter(({ language }) => language === 'sh');
      assert.ok(chosen.length > 20);
      const below = fixture.lowerDigest();
      for (const { name, script } of chosen) {
        const output = await fixture.run(['/bin/sh', '-c', `${script}\necho TRIED`], fixture.overlay());
        const said = text(output.stdout);
        assert.match(said, /TRIED/, `${name}: ${text(output.stderr)}`);
        assert.ok(!said.includes('ESCAPED') && !said.includes(fixture.canary), name);
      }
      assert.equal(fixture.lowerDigest(), below);
      assert.deepEqual(mountsNaming(fixture.base), []);
      t.diagnostic(`${chosen.length} attempts`);
    });
  });
}

function entriesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
}
