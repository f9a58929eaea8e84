import { z } from 'zod';
import type { FoundTest } from './found-test.ts';
import { jsonLines } from './json-text.ts';

const Event = z.object({
  Action: z.string(),
  Package: z.string().catch(''),
  Test: z.string().optional().catch(undefined),
  Elapsed: z.number().optional().catch(undefined),
  Output: z.string().optional().catch(undefined),
});
type Event = z.infer<typeof Event>;

const STATUS: Readonly<Record<string, FoundTest['status']>> = { pass: 'passed', fail: 'failed', skip: 'skipped' };

/** Reads `go test -json`. A package that failed without a failed test (it did not build) is a failed test itself. */
export function readGo(text: string): FoundTest[] {
  const found: FoundTest[] = [];
  const output = new Map<string, string>();
  for (const event of events(text)) {
    const key = `${event.Package}\n${event.Test ?? ''}`;
    if (event.Action === 'output') output.set(key, `${output.get(key) ?? ''}${event.Output ?? ''}`);
    const status = STATUS[event.Action];
    if (status === undefined) continue;
    if (event.Test === undefined) {
      if (status === 'failed' && !hasFailure(found, event.Package)) found.push(toTest(event, status, output.get(key)));
    } else if (!isParent(found, event)) found.push(toTest(event, status, output.get(key)));
  }
  return found;
}

/** What a person would have seen: the texts of the events, other lines as they are. */
export function goText(text: string): string {
  return text
    .split('\n')
    .map((line) => {
      const event = Event.safeParse(jsonLines(line)[0]);
      if (event.success) return event.data.Output ?? '';
      return line === '' ? '' : `${line}\n`;
    })
    .join('');
}

function events(text: string): Event[] {
  return jsonLines(text).flatMap((line) => {
    const event = Event.safeParse(line);
    return event.success ? [event.data] : [];
  });
}

function toTest(event: Event, status: FoundTest['status'], message: string | undefined): FoundTest {
  return {
    file: undefined,
    path: [event.Package, ...(event.Test === undefined ? [] : event.Test.split('/'))],
    status,
    message: status === 'failed' ? message?.trim() : undefined,
    milliseconds: event.Elapsed === undefined ? undefined : event.Elapsed * 1000,
  };
}

function hasFailure(found: readonly FoundTest[], name: string): boolean {
  return found.some((test) => test.path[0] === name && test.status === 'failed');
}

/** Sub-tests are reported before the test that holds them. */
function isParent(found: readonly FoundTest[], event: Event): boolean {
  const names = event.Test?.split('/') ?? [];
  const isInside = (test: FoundTest): boolean => names.every((name, index) => test.path[index + 1] === name);
  return found.some((test) => test.path[0] === event.Package && test.path.length > names.length + 1 && isInside(test));
}
