import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { z } from 'zod';
import { type TestSummary, testId } from './summary.ts';

/** The parts of vitest's JSON report that are read here. */
const Report = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().optional(),
      assertionResults: z.array(
        z.object({
          ancestorTitles: z.array(z.string()),
          title: z.string(),
          status: z.string(),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
});

/** Runs the suites that come on vitest (LangGraph's validation of checkpointers) and counts their tests. */
export async function runConformance(
  root: string,
  files: readonly string[],
  say: (line: string) => void,
): Promise<TestSummary> {
  const folder = await mkdtemp(join(tmpdir(), 'capstan-vitest-'));
  try {
    const output = join(folder, 'report.json');
    const printed = await runVitest(root, [...files, '--reporter=json', `--outputFile=${output}`]);
    const text = await readFile(output, 'utf8').catch(() => undefined);
    if (text === undefined) return { passed: 0, failures: [{ id: 'vitest', message: printed }], skips: [] };
    const summary = summarise(root, Report.parse(JSON.parse(text)));
    say(`${files.join(', ')}: ${summary.passed} passed on vitest`);
    return summary;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function summarise(root: string, report: z.infer<typeof Report>): TestSummary {
  const cases = report.testResults.flatMap((file) =>
    file.assertionResults.map((result) => ({
      id: testId(relative(root, file.name), [...result.ancestorTitles, result.title]),
      status: result.status,
      message: (result.failureMessages ?? []).join('\n'),
    })),
  );
  const brokenFiles = report.testResults
    .filter((file) => file.status === 'failed' && file.assertionResults.every(({ status }) => status !== 'failed'))
    .map((file) => ({ id: relative(root, file.name), message: file.message ?? 'The file failed.' }));
  return {
    passed: cases.filter(({ status }) => status === 'passed').length,
    failures: [...cases.filter(({ status }) => status === 'failed'), ...brokenFiles],
    skips: cases
      .filter(({ status }) => status !== 'passed' && status !== 'failed')
      .map(({ id, status }) => ({ id, reason: `${status} by the suite itself` })),
  };
}

/** Resolves to what vitest printed; its exit code adds nothing to its report. */
function runVitest(root: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const script = join(root, 'node_modules', 'vitest', 'vitest.mjs');
    const child = spawn(process.execPath, [script, 'run', '--root', root, '--globals', ...args], {
      cwd: root,
      stdio: 'pipe',
    });
    let printed = '';
    const collect = (chunk: Buffer): void => {
      printed += chunk.toString();
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.stdin.end();
    child.once('error', reject);
    child.once('close', () => resolve(printed));
  });
}
