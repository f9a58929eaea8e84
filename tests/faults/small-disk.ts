import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

const isRoot = process.getuid?.() === 0;

/** Makes a mount namespace: of root itself, or of a user as root of a user namespace. */
const enter = isRoot ? ['unshare', '--mount'] : ['unshare', '--mount', '--map-root-user'];

/** A disk of a few megabytes, in a mount namespace of its own. */
export interface SmallDisk {
  /** Starts a command where the disk is mounted: put it in front. */
  readonly launcher: readonly string[];
  /** Leaves so many kilobytes free. */
  leave(kilobytes: number): void;
  /** Takes away what `leave` filled. */
  clear(): void;
}

/** Why there can be no small disk here; false when there can. */
export const needsSmallDisk: { readonly skip: string | false } = {
  skip:
    spawnSync(enter[0] ?? '', [...enter.slice(1), 'sh', '-c', 'mount -t tmpfs tmpfs /mnt']).status === 0
      ? false
      : 'needs the right to mount a file system in a namespace of its own',
};

/** Mounts an empty disk at a folder, which is made, until the test ends. */
export async function smallDisk(t: TestContext, folder: string): Promise<SmallDisk> {
  mkdirSync(folder, { recursive: true });
  const script = 'mount -t tmpfs -o size=24m,mode=700 tmpfs "$1" && echo ready && exec sleep 1000000';
  const holder = spawn(enter[0] ?? '', [...enter.slice(1), 'sh', '-c', script, 'sh', folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(holder, 'exit');
  t.after(async () => {
    holder.kill('SIGKILL');
    await ended;
  });
  await Promise.race([once(holder.stdout, 'data'), ended]);
  const target = ['--target', String(holder.pid), '--mount'];
  const launcher = ['nsenter', ...(isRoot ? target : [...target, '--user', '--preserve-credentials']), '--'];
  const shell = (text: string, ...words: string[]) => {
    const [command = '', ...rest] = [...launcher, 'sh', '-c', text, 'sh', ...words];
    const done = spawnSync(command, rest, { encoding: 'utf8' });
    if (done.status !== 0) throw new Error(done.stderr);
  };
  const ballast = join(folder, 'ballast');
  return {
    launcher,
    leave: (kilobytes) =>
      shell(
        'n=$(df -k --output=avail "$1" | tail -1); head -c "$(( (n - $3) * 1024 ))" /dev/zero > "$2"',
        folder,
        ballast,
        String(kilobytes),
      ),
    clear: () => shell('rm -f "$1"', ballast),
  };
}
