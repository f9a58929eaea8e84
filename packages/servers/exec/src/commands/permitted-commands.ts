import { detectCommands, permitChecks, type RepositoryReader } from '@capstan/checks';
import type { Command } from '@capstan/contracts';
import type { ExecOptions } from '../exec-options.ts';

/** The commands that may be run, those of the configuration first, and those that it switches off. */
export async function permittedCommands(
  reader: RepositoryReader,
  options: ExecOptions,
): Promise<{ readonly permitted: Command[]; readonly off: Command[] }> {
  const found = await detectCommands(reader);
  const { permitted, off } = permitChecks([...options.ownCommands, ...found], options.commands);
  const checks = permitChecks(
    permitted.filter((command) => command.isCheck),
    options.checks,
  );
  return { permitted: permitted.filter((command) => !checks.off.includes(command)), off: [...off, ...checks.off] };
}
