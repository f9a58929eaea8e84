import { chmod, copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { nodeTestReporter, reporterFile } from '@capstan/checks';
import { readPlainFile } from '@capstan/workspace';

const PREFIX = 'report-';
const REPORT_LIMIT = 32 * 1024 * 1024;

/** Where the report folder lies inside the sandbox. */
export const reportsInside = '/capstan-report';

/** A folder on the host that one run may write its report to. */
export interface ReportFolder {
  readonly path: string;
  /** The files that were asked for, as far as the run wrote them. */
  read(names: readonly string[]): Promise<Record<string, string>>;
  remove(): Promise<void>;
}

/** Makes a report folder, with our reporter for node:test in it. */
export async function openReportFolder(state: string): Promise<ReportFolder> {
  const path = await mkdtemp(join(state, PREFIX));
  // The sandbox may run as another user than this server; nobody else gets into `state`.
  await chmod(path, 0o777);
  await copyFile(nodeTestReporter, join(path, reporterFile));
  return {
    path,
    read: async (names) => {
      const texts = await Promise.all(names.map((name) => readPlainFile(join(path, name), REPORT_LIMIT)));
      return Object.fromEntries(
        names.flatMap((name, index) => (texts[index] === undefined ? [] : [[name, texts[index]]])),
      );
    },
    remove: () => rm(path, { recursive: true, force: true }),
  };
}

/** Removes what a server that was killed left in its folder. */
export async function removeOldReports(state: string): Promise<void> {
  const names = (await readdir(state)).filter((name) => name.startsWith(PREFIX));
  await Promise.all(names.map((name) => rm(join(state, name), { recursive: true, force: true })));
}
