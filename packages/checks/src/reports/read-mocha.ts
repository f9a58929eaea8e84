import { z } from 'zod';
import type { FoundTest } from './found-test.ts';
import { jsonObject } from './json-text.ts';

const Entry = z.object({
  title: z.string().catch(''),
  fullTitle: z.string().catch(''),
  file: z.string().nullish().catch(undefined),
  duration: z.number().nullish().catch(undefined),
  err: z.object({ message: z.string().optional(), stack: z.string().optional() }).catch({}),
});
const Entries = z.array(Entry.nullable().catch(null)).catch([]);
const Report = z.object({ passes: Entries, failures: Entries, pending: Entries });

/** Reads mocha's JSON report. Its titles come joined, so the suites of an id are one name. */
export function readMocha(text: string): FoundTest[] {
  const report = Report.safeParse(jsonObject(text));
  if (!report.success) return [];
  const { passes, failures, pending } = report.data;
  return [
    ...passes.flatMap((entry) => readEntry(entry, 'passed')),
    ...failures.flatMap((entry) => readEntry(entry, 'failed')),
    ...pending.flatMap((entry) => readEntry(entry, 'skipped')),
  ];
}

function readEntry(entry: z.infer<typeof Entry> | null, status: FoundTest['status']): FoundTest[] {
  if (entry === null) return [];
  return [
    {
      file: entry.file ?? undefined,
      path: [entry.fullTitle || entry.title],
      status,
      message: status === 'failed' ? (entry.err.stack ?? entry.err.message) : undefined,
      milliseconds: entry.duration ?? undefined,
    },
  ];
}
