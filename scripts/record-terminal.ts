import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** One piece of a terminal's output: seconds since the start, and text. */
export interface Frame {
  readonly at: number;
  readonly text: string;
}

export interface Recording {
  readonly width: number;
  readonly height: number;
  readonly frames: readonly Frame[];
}

/** Cuts what a terminal was sent by the lines of a timing file of `script`: seconds since the last piece, and bytes. */
export function readFrames(output: Uint8Array, timing: string): Frame[] {
  const decoder = new TextDecoder();
  const frames: Frame[] = [];
  let at = 0;
  let from = 0;
  for (const line of timing.split('\n').filter((row) => row !== '')) {
    const [delay = '0', bytes = '0'] = line.split(' ');
    at += Number(delay);
    const text = decoder.decode(output.subarray(from, from + Number(bytes)), { stream: true });
    from += Number(bytes);
    if (text !== '') frames.push({ at, text });
  }
  return frames;
}

/** Asciicast version 2: a header, then one array a line. https://docs.asciinema.org/manual/asciicast/v2/ */
export function toAsciicast({ width, height, frames }: Recording): string {
  const header = { version: 2, width, height, env: { TERM: 'xterm-256color', SHELL: '/bin/bash' } };
  const rows = frames.map(({ at, text }) => JSON.stringify([Number(at.toFixed(3)), 'o', text]));
  return `${[JSON.stringify(header), ...rows].join('\n')}\n`;
}

/** What a person has read at the end: no colours, no returns, no spinners (Braille patterns). */
export function toText({ frames }: Recording): string {
  const text = frames.map((frame) => frame.text).join('');
  return stripVTControlCharacters(text).replaceAll(/[\r\u2800-\u28ff]/g, '');
}

/** Types each command of a list at a prompt and runs it in bash, in a real terminal of 110 columns. */
export function recordTerminal(commands: readonly string[], folder: string): Recording {
  const [width, height] = [110, 40];
  const place = mkdtempSync(join(tmpdir(), 'capstan-recording-'));
  try {
    const lines = commands.flatMap((command) => [`printf '\\033[1m$ %s\\033[0m\\n' ${quote(command)}`, command]);
    const script = join(place, 'commands.sh');
    writeFileSync(script, `stty cols ${width} rows ${height}\n${lines.join('\n')}\n`);
    const [out, timing] = [join(place, 'out'), join(place, 'timing')];
    const flags = ['-q', '-e', '-E', 'never', '-O', out, '-T', timing, '-m', 'classic'];
    const { error, status } = spawnSync('script', [...flags, '-c', `exec bash ${script}`], {
      cwd: folder,
      stdio: 'inherit',
    });
    if (error !== undefined) throw error;
    if (status !== 0) throw new Error(`the commands ended with ${status}`);
    return { width, height, frames: readFrames(withoutBanner(readFileSync(out)), readFileSync(timing, 'utf8')) };
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** `script` writes a first line of its own, which its timing does not count. */
function withoutBanner(output: Buffer): Buffer {
  return output.subarray(output.indexOf('\n') + 1);
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

if (import.meta.main) {
  const [list, target] = process.argv.slice(2);
  if (list === undefined || target === undefined) {
    process.stderr.write(
      'usage: node scripts/record-terminal.ts COMMANDS.txt TARGET (writes TARGET.cast and TARGET.txt)\n',
    );
    process.exit(2);
  }
  const commands = readFileSync(list, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const recording = recordTerminal(commands, process.cwd());
  writeFileSync(`${target}.cast`, toAsciicast(recording));
  writeFileSync(`${target}.txt`, toText(recording));
}
