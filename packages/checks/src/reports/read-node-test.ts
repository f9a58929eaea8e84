import { z } from 'zod';
import type { FoundTest } from './found-test.ts';
import { jsonLines } from './json-text.ts';

const Event = z.object({
  process: z.number().catch(0),
  type: z.enum(['dequeue', 'complete', 'start', 'pass', 'fail']),
  file: z.string().optional().catch(undefined),
  entry: z.string().optional().catch(undefined),
  name: z.string().catch(''),
  nesting: z.number().int().min(0).max(1000).catch(0),
  skipped: z.boolean().optional().catch(undefined),
  suite: z.boolean().optional().catch(undefined),
  milliseconds: z.number().optional().catch(undefined),
  failure: z.string().optional().catch(undefined),
  message: z.string().optional().catch(undefined),
});
type Event = z.infer<typeof Event>;

interface Frame {
  readonly name: string;
  readonly file: string | undefined;
  hasTests: boolean;
}

/** Reads the lines of our node:test reporter; what began and did not end counts as failed. */
export function readNodeTest(text: string): FoundTest[] {
  const processes = new Map<number, ProcessReport>();
  for (const line of jsonLines(text)) {
    const parsed = Event.safeParse(line);
    if (!parsed.success) continue;
    const report = processes.get(parsed.data.process) ?? new ProcessReport();
    processes.set(parsed.data.process, report);
    const { entry, ...event } = parsed.data;
    report.add({ ...event, file: entry ?? event.file });
  }
  return [...processes.values()].flatMap((report) => report.tests());
}

/** `start`, `pass` and `fail` come in report order, parents first; `dequeue` and `complete` as things happen. */
class ProcessReport {
  private readonly found: FoundTest[] = [];
  private readonly open: Frame[] = [];
  private readonly running = new Map<string, string[]>();

  add(event: Event): void {
    if (event.type === 'dequeue') this.begin(event);
    else if (event.type === 'complete') this.complete(event);
    else if (event.type === 'start') this.start(event);
    else this.end(event);
  }

  tests(): FoundTest[] {
    const unfinished = [...this.running].filter(([, names]) => names.length > 0);
    return [...this.found, ...unfinished.map(([file, names]) => unfinishedTest(file, names))];
  }

  private start(event: Event): void {
    this.open.length = Math.min(this.open.length, event.nesting);
    this.open.push({ name: event.name, file: event.file, hasTests: false });
  }

  private end(event: Event): void {
    const own = this.open[event.nesting];
    const parents = this.open.slice(0, event.nesting);
    const parent = parents.at(-1);
    if (parent !== undefined) parent.hasTests = true;
    // A suite is told by its tests, unless it failed for a reason of its own: a hook, a crash.
    const grouping = event.suite === true || own?.hasTests === true;
    const ownFailure = event.type === 'fail' && event.failure !== 'subtestsFailed';
    if (grouping && !ownFailure) return;
    const file = parents[0]?.file ?? event.file;
    const isFile = parents.length === 0 && file !== undefined && file.endsWith(event.name);
    this.found.push({
      file,
      path: isFile ? [] : [...parents.map((frame) => frame.name), event.name],
      status: event.skipped === true ? 'skipped' : event.type === 'pass' ? 'passed' : 'failed',
      message: event.message,
      milliseconds: event.milliseconds,
    });
  }

  private begin(event: Event): void {
    const file = event.file ?? '';
    const names = this.running.get(file) ?? [];
    // The entry of the file itself has nesting 0 too: its first tests replace it.
    this.running.set(file, [...names.slice(0, event.nesting), event.name]);
  }

  private complete(event: Event): void {
    const file = event.file ?? '';
    const names = this.running.get(file);
    if (names?.[event.nesting] === event.name) this.running.set(file, names.slice(0, event.nesting));
    if (event.nesting === 0 && event.file?.endsWith(event.name) === true) this.running.delete(file);
  }
}

function unfinishedTest(file: string, names: readonly string[]): FoundTest {
  const isFile = names.length === 1 && file.endsWith(names[0] ?? '');
  return {
    file: file === '' ? undefined : file,
    path: isFile ? [] : names,
    status: 'failed',
    message: 'It began and did not end.',
  };
}
