import { resolve } from 'node:path';
import { projectFile, projectTemplate } from '@capstan/config';
import { CapstanError, ExitCode } from '@capstan/contracts';
import { findRepository } from '@capstan/workspace';
import { configFor } from '../config-for.ts';
import { trustModel } from '../confirm-model.ts';
import { initDescription } from '../descriptions/init.ts';
import { type InitReport, initLines } from '../init/init-lines.ts';
import { setUpPerson } from '../init/set-up-person.ts';
import { steeringFiles } from '../init/steering-files.ts';
import { writeNewProjectFile } from '../init/write-new-file.ts';
import { modelEndpoint } from '../model-endpoint.ts';
import { nameProgram } from '../name-program.ts';
import { printable } from '../printable.ts';
import type { Settings } from '../settings.ts';
import type { CommandContext, Terminal } from '../terminal.ts';
import { revokeTrustedModel } from '../trusted-models.ts';
import { checkoutAt } from './checkout-at.ts';
import { readArguments } from './read-arguments.ts';

type Options = ReturnType<
  typeof readArguments<typeof initDescription.operands, typeof initDescription.options>
>['options'];

/** `capstan init`: configuration files to start from, models that are there, and a person's yes to one elsewhere. */
export async function init(args: readonly string[], raw: Settings, { terminal }: CommandContext): Promise<number> {
  const { options } = readArguments(initDescription, args);
  // The file that CAPSTAN_CONFIG names may be the one that is written now.
  const settings = { ...raw, configFileNamed: false };
  const repository =
    options.repo === undefined
      ? await checkoutAt(settings.currentFolder)
      : (await findRepository(resolve(settings.currentFolder, options.repo), settings)).root;
  const report = await carryOut(options, repository, settings, terminal);
  if (options.json) terminal.out(`${JSON.stringify(report)}\n`);
  else for (const line of initLines(report)) terminal.out(`${printable(nameProgram(line, settings.program))}\n`);
  return ExitCode.done;
}

async function carryOut(
  options: Options,
  repository: string | undefined,
  settings: Settings,
  terminal: Terminal,
): Promise<InitReport> {
  const { project, 'trust-model': trust, 'revoke-model': revoke } = options;
  if (trust && revoke) throw usage('--trust-model and --revoke-model say the opposite.', 'See capstan init --help.');
  if (!project && !trust && !revoke) {
    const ask = options.json || options.yes ? undefined : terminal.ask;
    if (ask === undefined && !options.yes) {
      throw usage('There is nobody to ask here.', 'With the defaults: capstan init --yes');
    }
    return setUpPerson({ repository, settings, ask, out: terminal.out });
  }
  if (repository === undefined) throw usage('This is no checkout.', 'Name one: --repo PATH.');
  return {
    ...(project ? { projectFile: await writeProjectFile(repository) } : {}),
    ...(trust ? { trust: await trustNow(repository, settings) } : {}),
    ...(revoke ? { trust: await revokeNow(repository, settings) } : {}),
    ...(trust ? { repository: { root: repository, ...(await steeringFiles(repository)) } } : {}),
  };
}

async function writeProjectFile(repository: string): Promise<NonNullable<InitReport['projectFile']>> {
  const state = await writeNewProjectFile(repository, projectFile, projectTemplate());
  return { path: resolve(repository, projectFile), state };
}

async function trustNow(repository: string, settings: Settings): Promise<NonNullable<InitReport['trust']>> {
  const { config } = await configFor(settings, { repository });
  const endpoint = modelEndpoint(config.model.name ?? 'of your choice', config, settings.environment);
  if (endpoint.isLoopback) return { answer: 'local', endpoint: endpoint.shown };
  await trustModel({ repository, endpoint }, settings);
  return { answer: 'yes', endpoint: endpoint.shown };
}

async function revokeNow(repository: string, settings: Settings): Promise<NonNullable<InitReport['trust']>> {
  return { answer: (await revokeTrustedModel(settings.home, repository)) ? 'revoked' : 'nobody' };
}

function usage(message: string, hint: string): CapstanError {
  return new CapstanError('usage', message, { hint });
}
