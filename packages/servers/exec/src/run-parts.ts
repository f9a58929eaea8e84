import type { SteadyClock } from '@capstan/contracts';
import type { CommandParts } from './commands/order-command.ts';
import type { JobTable } from './jobs/job-table.ts';

/** What the tools that start something have in common. */
export interface RunParts extends CommandParts {
  readonly clock: SteadyClock;
  readonly jobs: JobTable;
  /** The shell of the tool `shell`, a program of the system. */
  readonly shell: string;
}
