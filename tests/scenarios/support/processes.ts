import { readdirSync, readFileSync } from 'node:fs';

interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly state: string;
  readonly command: string;
}

/** Every process below `root`, by descent. Those that already ended and only wait to be collected do not count. */
export function descendants(root: number): ProcessRow[] {
  const rows = readProcesses();
  const found: ProcessRow[] = [];
  for (let parents = [root]; parents.length > 0; ) {
    const children = rows.filter((row) => parents.includes(row.parent));
    found.push(...children);
    parents = children.map((row) => row.pid);
  }
  return found.filter((row) => row.state !== 'Z');
}

/** Which of these processes are still there: compared with their command, since ids are used again. */
export function survivors(processes: readonly ProcessRow[]): ProcessRow[] {
  const rows = readProcesses().filter((row) => row.state !== 'Z');
  return processes.filter(({ pid, command }) => rows.some((row) => row.pid === pid && row.command === command));
}

/** Processes whose command line names `mark`, such as the folder of a test: finds what was orphaned. */
export function processesNaming(mark: string): ProcessRow[] {
  return readProcesses().filter((row) => row.state !== 'Z' && row.pid !== process.pid && row.command.includes(mark));
}

/** Waits until `read` gives nothing more, a few seconds at most, and returns what is left. */
export async function untilNone<Row>(read: () => readonly Row[], milliseconds = 5000): Promise<readonly Row[]> {
  for (const end = Date.now() + milliseconds; ; ) {
    const rows = read();
    if (rows.length === 0 || Date.now() > end) return rows;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

function readProcesses(): ProcessRow[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        const [state = '', parent = '0'] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return [{ pid: Number(name), parent: Number(parent), state, command }];
      } catch {
        return []; // It ended while we looked.
      }
    });
}
