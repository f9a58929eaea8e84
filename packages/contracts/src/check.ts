import { z } from 'zod';

/** Test frameworks that Capstan can run and read test by test; others are judged by their exit code. */
export const Framework = z.enum(['node-test', 'vitest', 'jest', 'mocha', 'pytest', 'cargo', 'go', 'make', 'other']);
export type Framework = z.infer<typeof Framework>;

/** A command template found in a repository (requirement T10): fixed argv, run without a shell. */
export const Check = z.strictObject({
  id: z.string().describe('Name of the template, e.g. "npm:test"'),
  kind: z.enum(['test', 'build', 'lint', 'other']),
  framework: Framework,
  argv: z.array(z.string()).min(1).describe('e.g. ["npm","test"]'),
  /** The test runner itself, where known: reports can be asked for by flags, e.g. ["node","--test"]. */
  directArgv: z.array(z.string()).min(1).optional(),
  /** Variables that the script sets in front of the runner: `directArgv` needs them. */
  directEnvironment: z.record(z.string(), z.string()).optional(),
  /** `argv` in the form to which flags of the runner can be added, e.g. ["npm","test","--"]; absent where none reach it. */
  appendableArgv: z.array(z.string()).min(1).optional(),
  directory: z.string().describe('Relative to the workspace, "." for its root'),
  package: z.string().optional().describe('Of a monorepo, e.g. "@shop/cart"'),
  coveredBy: z.string().optional().describe('Id of the check that runs these tests too'),
  source: z.string().describe('Where it was found, e.g. "package.json scripts.test"'),
});
export type Check = z.infer<typeof Check>;

export const TestStatus = z.enum(['passed', 'failed', 'skipped']);
export type TestStatus = z.infer<typeof TestStatus>;

/** One test of a report. `id` is stable over runs: file, then the names from suite to test. */
export const TestCase = z.strictObject({
  id: z.string(),
  file: z.string().optional().describe('Relative to the workspace'),
  name: z.string(),
  status: TestStatus,
  message: z.string().optional(),
  durationMs: z.number().optional(),
});
export type TestCase = z.infer<typeof TestCase>;

/** What one run of a check showed. */
export const CheckReport = z.strictObject({
  checkId: z.string(),
  outcome: z.enum(['passed', 'failed', 'timed-out', 'not-started']),
  exitCode: z.number().int().nullable(),
  passed: z.number().int().nonnegative(),
  failed: z.number().int().nonnegative(),
  skipped: z.number().int().nonnegative(),
  tests: z.array(TestCase).describe('Empty where the framework is judged by its exit code alone'),
  durationMs: z.number(),
});
export type CheckReport = z.infer<typeof CheckReport>;
