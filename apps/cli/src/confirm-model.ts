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
  const answer = await askToTrust(use, settings, terminal.ask);
  if (answer === 'no') throw notTrusted(use, 'you said no');
  if (answer === 'nobody') throw notTrusted(use, 'nobody has agreed to that yet');
}

/** The answer to whether code may be sent there, asked for where it is not known; a yes is remembered. */
export async function askToTrust(
  use: ModelUse,
  settings: Settings,
  ask: CommandContext['terminal']['ask'],
): Promise<'local' | 'yes' | 'no' | 'nobody'> {
  if (use.endpoint.isLoopback) return 'local';
  const known = await readTrustedModel(settings.home, use.repository);
  if (known?.endpoint === use.endpoint.shown) return 'yes';
  const answer = await ask?.(question(use));
  if (answer === undefined) return 'nobody';
  if (!saysYes(answer)) return 'no';
  await trustModel(use, settings);
  return 'yes';
}

/** Remembers a person's yes. */
export async function trustModel({ repository, endpoint }: Omit<ModelUse, 'model'>, settings: Settings): Promise<void> {
  const at = new Date().toISOString();
  await rememberTrustedModel(settings.home, { repository, endpoint: endpoint.shown, by: settings.actor, at });
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
