import { z } from 'zod';
import type { FoundTest } from './found-test.ts';
import { jsonObject } from './json-text.ts';

const Assertion = z.object({
  ancestorTitles: z.array(z.string()).catch([]),
  title: z.string().catch(''),
  status: z.string().catch(''),
  duration: z.number().nullish().catch(undefined),
  failureMessages: z.array(z.string()).nullish().catch(undefined),
});
const TestFile = z.object({
  name: z.string().optional().catch(undefined),
  status: z.string().catch(''),
  message: z.string().nullish().catch(undefined),
  assertionResults: z.array(Assertion).catch([]),
});
const Report = z.object({ testResults: z.array(TestFile.nullable().catch(null)) });

/** Reads the JSON report of jest, which vitest writes too. A file that could not be loaded is a failed test. */
export function readJest(text: string): FoundTest[] {
  const report = Report.safeParse(jsonObject(text));
  if (!report.success) return [];
  return report.data.testResults.flatMap((file) => (file === null ? [] : readFile(file)));
}

function readFile(file: z.infer<typeof TestFile>): FoundTest[] {
  const tests = file.assertionResults.map((assertion) => readAssertion(file.name, assertion));
  const broken = file.status === 'failed' && !tests.some((test) => test.status === 'failed');
  if (!broken) return tests;
  const message = file.message ?? undefined;
  return [...tests, { file: file.name, path: file.name === undefined ? ['test file'] : [], status: 'failed', message }];
}

function readAssertion(file: string | undefined, assertion: z.infer<typeof Assertion>): FoundTest {
  const { status, duration, failureMessages } = assertion;
  return {
    file,
    path: [...assertion.ancestorTitles, assertion.title],
    status: status === 'passed' || status === 'failed' ? status : 'skipped',
    message: failureMessages?.length ? failureMessages.join('\n') : undefined,
    milliseconds: duration ?? undefined,
  };
}
