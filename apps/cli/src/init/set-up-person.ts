import { userTemplate } from '@capstan/config';
import { configFor } from '../config-for.ts';
import { askToTrust } from '../confirm-model.ts';
import { findModelEndpoint } from '../model-endpoint.ts';
import { printable } from '../printable.ts';
import type { Settings } from '../settings.ts';
import type { Terminal } from '../terminal.ts';
import { type ChosenModel, chooseModel } from './choose-model.ts';
import { foundModels } from './found-models.ts';
import { type InitReport, steeringLines } from './init-lines.ts';
import { steeringFiles } from './steering-files.ts';
import { writeNewFile } from './write-new-file.ts';

export interface SetUp {
  readonly repository: string | undefined;
  readonly settings: Settings;
  /** Undefined when nothing is asked and the defaults are taken. */
  readonly ask: Terminal['ask'];
  readonly out: Terminal['out'];
}

/** The person's own file, with the model of their choice; then what a checkout brings, and the yes to a model elsewhere. */
export async function setUpPerson(setUp: SetUp): Promise<InitReport> {
  const { settings, ask, repository } = setUp;
  const before = await configFor(settings);
  const models = await foundModels(before.config, settings.environment);
  const exists = before.files.some((file) => file.kind === 'user' && file.found);
  const chosen = exists || ask === undefined ? undefined : await chooseModel(models, ask);
  const state = exists ? 'exists' : await writeNewFile(settings.configFile, userTemplate(valuesOf(chosen)));
  return {
    userFile: { path: settings.configFile, state },
    models,
    ...(chosen === undefined ? {} : { chosen: chosen.name }),
    ...(repository === undefined ? {} : await lookAt(repository, setUp)),
  };
}

function valuesOf(chosen: ChosenModel | undefined) {
  if (chosen === undefined) return {};
  return { 'model.name': chosen.name, ...(chosen.url === undefined ? {} : { 'model.url': chosen.url }) };
}

/** What steers agents is shown before the question whether code may be sent elsewhere. */
async function lookAt(root: string, { settings, ask, out }: SetUp): Promise<Pick<InitReport, 'repository' | 'trust'>> {
  const repository = { root, ...(await steeringFiles(root)) };
  const { config } = await configFor(settings, { repository: root });
  const endpoint = findModelEndpoint(config, settings.environment);
  const { name } = config.model;
  if (name === undefined || endpoint === undefined) return { repository };
  const use = { repository: root, model: name, endpoint };
  if (ask === undefined)
    return { repository, trust: { answer: await askToTrust(use, settings, ask), endpoint: endpoint.shown } };
  for (const line of steeringLines(repository)) out(`${printable(line)}\n`);
  const answer = await askToTrust(use, settings, ask);
  return { repository: { ...repository, isShown: true }, trust: { answer, endpoint: endpoint.shown } };
}
