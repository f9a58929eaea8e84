import type { Config } from '@capstan/config';
import { CapstanError } from '@capstan/contracts';

/** Where a model is, and how requests to it are signed. */
export interface ModelEndpoint {
  readonly url: string;
  readonly key: string | undefined;
  /** On this machine: what is sent there does not leave it. */
  readonly isLoopback: boolean;
  /** The address for people, free of passwords and parameters. */
  readonly shown: string;
}

const openAi = 'https://api.openai.com/v1';

/** Where the configured models are; undefined when neither an address nor a key is there. */
export function findModelEndpoint(
  { model }: Pick<Config, 'model'>,
  environment: Readonly<Record<string, string>>,
): ModelEndpoint | undefined {
  const key = environment[model.keyVariable] || undefined;
  if (model.url === undefined && key === undefined) return undefined;
  const url = new URL(model.url ?? openAi);
  return {
    url: model.url ?? openAi,
    key,
    isLoopback: isLoopback(url.hostname),
    shown: `${url.origin}${url.pathname}`.replace(/\/$/, ''),
  };
}

/** Where the configured models are. Throws `no-model` when that is not known. */
export function modelEndpoint(
  name: string,
  config: Pick<Config, 'model'>,
  environment: Readonly<Record<string, string>>,
): ModelEndpoint {
  const found = findModelEndpoint(config, environment);
  if (found !== undefined) return found;
  const { keyVariable } = config.model;
  const again = keyVariable === 'OPENAI_API_KEY' ? 'Set OPENAI_API_KEY' : `Set ${keyVariable} (model.keyVariable)`;
  throw new CapstanError('no-model', `It is not known where the model "${name}" is.`, {
    hint: `${again}, or OPENAI_BASE_URL for any compatible endpoint (Ollama: http://127.0.0.1:11434/v1).`,
  });
}

/** Code of a run goes where a person agreed to, also when the run is gone on with. Throws `model-not-trusted`. */
export function mustBeAt(agreed: string, { isLoopback, shown }: ModelEndpoint): void {
  if (isLoopback || shown === agreed) return;
  const message = `This run was agreed to with a model at ${agreed}, and now ${shown} is configured.`;
  throw new CapstanError('model-not-trusted', message, {
    hint: 'Configure that address again and resume, or start a new run: capstan run --help.',
  });
}

/** Names that are looked up count only where every resolver agrees on them. */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
