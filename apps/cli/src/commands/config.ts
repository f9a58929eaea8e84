import { resolve } from 'node:path';
import { type LoadedConfig, unknownVariables } from '@capstan/config';
import { ExitCode } from '@capstan/contracts';
import { createRedactor, redactValue, secretsFromEnvironment } from '@capstan/telemetry';
import { findRepository } from '@capstan/workspace';
import { configFor } from '../config-for.ts';
import { type ConfigReport, configLines } from '../config-lines.ts';
import { configDescription } from '../descriptions/config.ts';
import { findModelEndpoint } from '../model-endpoint.ts';
import { printableValue } from '../printable.ts';
import type { Settings } from '../settings.ts';
import { createStyle } from '../style.ts';
import type { CommandContext } from '../terminal.ts';
import { readTrustedModel } from '../trusted-models.ts';
import { checkoutAt } from './checkout-at.ts';
import { readArguments } from './read-arguments.ts';

/** `capstan config`: the values that count, each with where it comes from. */
export async function config(
  args: readonly string[],
  settings: Settings,
  { terminal }: CommandContext,
): Promise<number> {
  const { options } = readArguments(configDescription, args);
  const repository =
    options.repo === undefined
      ? await checkoutAt(settings.currentFolder)
      : (await findRepository(resolve(settings.currentFolder, options.repo), settings)).root;
  const loaded = await configFor(settings, { repository });
  const redact = createRedactor(secretsFromEnvironment(settings.environment));
  const report = redactValue(await reportOf(loaded, repository, settings), redact);
  if (options.json) terminal.out(`${JSON.stringify(report)}\n`);
  else for (const line of configLines(printableValue(report), createStyle(terminal.styled))) terminal.out(`${line}\n`);
  return ExitCode.done;
}

async function reportOf(
  { config: effective, keys, files }: LoadedConfig,
  repository: string | undefined,
  { environment, home }: Settings,
): Promise<ConfigReport> {
  const { keyVariable } = effective.model;
  const endpoint = findModelEndpoint(effective, environment);
  const trusted = repository === undefined ? undefined : await readTrustedModel(home, repository);
  return {
    files,
    values: [...keys].map(([key, { value, origins, ignored }]) => ({
      key,
      // An address may hold a password: what is shown is the address alone.
      value: key === 'model.url' && value !== undefined ? (endpoint?.shown ?? null) : (value ?? null),
      origins,
      ...(ignored === undefined ? {} : { ignored }),
    })),
    modelKey: { variable: keyVariable, isSet: (environment[keyVariable] ?? '') !== '' },
    ...(repository === undefined ? {} : { repository }),
    ...(trusted === undefined ? {} : { trustedModel: trusted }),
    unknownVariables: unknownVariables(environment).map(({ variable }) => variable),
  };
}
