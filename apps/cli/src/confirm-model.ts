import { CapstanError } from '@capstan/contracts';
import type { ModelEndpoint } from './model-endpoint.ts';
import { printable } from './printable.ts';
import { saysYes } from './says-yes.ts';
import type { Settings } from './settings.ts';
import { shellWord } from './shell-word.ts';
import type { CommandContext } from './terminal.ts';
import { readTrustedModel, rememberTrustedModel } from './trusted-models.ts';

export interface ModelUse {
  readonly repository: string;
  readonly model: string;
  readonly endpoint: ModelEndpoint;
}

/**
 * Makes sure that a person has agreed to send code of this repository to a model that is not on this machine: once for
 * each repository and address, remembered. Throws `model-not-trusted` when nobody has, and nobody can be asked.
 */
export async function confirmModel(
  use: ModelUse,
  settings: Settings,
  { terminal }: Pick<CommandContext, 'terminal'>,
): Promise<void> {
  const { repository, endpoint } = use;
  if (endpoint.isLoopback) return;
  const known = await readTrustedModel(settings.home, repository);
  if (known?.endpoint === endpoint.shown) return;
  const answer = await terminal.ask?.(question(use));
  if (answer === undefined) throw notTrusted(use, 'nobody has agreed to that yet');
  if (!saysYes(answer)) throw notTrusted(use, 'you said no');
  await rememberTrustedModel(settings.home, {
    repository,
    endpoint: endpoint.shown,
    by: settings.actor,
    at: new Date().toISOString(),
  });
}

function question({ repository, model, endpoint }: ModelUse): string {
  const text = `Code of ${repository} is sent to the model ${model} at ${endpoint.shown}, which is not on this machine.`;
  return `${printable(text)}\nAgree, for this repository from now on? [y/N] `;
}

function notTrusted({ repository, model, endpoint }: ModelUse, why: string): CapstanError {
  const message = `Code of ${repository} would be sent to the model ${model} at ${endpoint.shown}, and ${why}.`;
  return new CapstanError('model-not-trusted', message, {
    hint: `Agree once: capstan init --repo ${shellWord(repository)} --trust-model. For one run: --model ${shellWord(model)}. Without a model: --no-model.`,
  });
}
