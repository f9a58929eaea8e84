/** A repository of many files with sizes as in real ones, the same in every run. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const words =
  'const return function value index result error import export from await async class this length map filter if else for of new throw null true false string number options path name list item state'.split(
    ' ',
  );

/** Makes a git checkout with `count` committed files in `root` and returns their bytes in all. */
export function makeLargeRepository(root: string, count: number, searchPath: string): number {
  const random = generator(20_260_730);
  const text = source(random, 4_000_000);
  let bytes = 0;
  for (let at = 0; at < count; at += 1) {
    const folder = join(root, `part-${at % 20}`, `module-${Math.floor(at / 20) % 50}`);
    if (at < 1_000) mkdirSync(folder, { recursive: true });
    const size = sizeOf(random);
    const from = Math.floor(random() * (text.length - size));
    const content = `// ${at}\n${text.slice(from, from + size)}`;
    bytes += content.length;
    writeFileSync(join(folder, `file-${at}.ts`), content);
  }
  for (const args of [
    ['init', '-q', '-b', 'main'],
    ['add', '-A'],
    ['commit', '-q', '-m', 'start'],
  ]) {
    const identity = ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.com', '-c', 'gc.auto=0'];
    execFileSync('git', [...identity, ...args], { cwd: root, env: { PATH: searchPath, HOME: root } });
  }
  // Most checkouts come by a clone, with their history in one pack.
  execFileSync('git', ['repack', '-a', '-d', '-q'], { cwd: root, env: { PATH: searchPath, HOME: root } });
  return bytes;
}

/** Log-normal: half of the files are smaller than 2.2 kB, few are large, the mean is about 5 kB. */
function sizeOf(random: () => number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Math.min(2_000_000, Math.round(2_200 * Math.exp(1.3 * normal)));
}

function source(random: () => number, size: number): string {
  const parts: string[] = [];
  for (let length = 0; length < size; ) {
    const word = words[Math.floor(random() * words.length)] ?? '';
    const part = random() < 0.12 ? `${word}${Math.floor(random() * 10_000)};\n  ` : `${word} `;
    parts.push(part);
    length += part.length;
  }
  return parts.join('');
}

/** Numbers between 0 and 1 from a seed (xorshift). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4_294_967_296;
  };
}
