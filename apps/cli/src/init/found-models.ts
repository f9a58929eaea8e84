import type { Config } from '@capstan/config';
import { findModelEndpoint } from '../model-endpoint.ts';
import { localModels, type Probe } from './local-models.ts';

/** A model that can be configured: with a name where the endpoint told it. */
export interface FoundModel {
  readonly name: string | undefined;
  /** Undefined when the environment says where it is: then that need not be written down. */
  readonly url: string | undefined;
  readonly shown: string;
  readonly why: string;
}

const ollama: Probe = { port: 11_434, path: '/v1/models', milliseconds: 1_000 };

/**
 * The models that are there: of the endpoint that is configured, and where none is, of Ollama's port on this machine.
 * Only this machine is asked.
 */
export async function foundModels(
  config: Pick<Config, 'model'>,
  environment: Readonly<Record<string, string>>,
  elsewhere: Probe = ollama,
): Promise<FoundModel[]> {
  const endpoint = findModelEndpoint(config, environment);
  const local = config.model.url === undefined ? await localModels(elsewhere) : [];
  const atOllama = `http://127.0.0.1:${elsewhere.port}/v1`;
  const offered = local.map((name) => ({ name, url: atOllama, shown: atOllama, why: 'it answers on this machine' }));
  if (endpoint === undefined) return offered;
  const { shown, url, isLoopback } = endpoint;
  const why = config.model.url === undefined ? `${config.model.keyVariable} is set` : 'it is configured';
  const at = { url: undefined, shown, why };
  const names = isLoopback && url.startsWith('http:') ? await localModels(probeOf(url)) : [];
  return [...(names.length === 0 ? [undefined] : names).map((name) => ({ name, ...at })), ...offered];
}

function probeOf(url: string) {
  const { port, pathname } = new URL(url);
  return { port: Number(port || 80), path: `${pathname.replace(/\/$/, '')}/models`, milliseconds: ollama.milliseconds };
}
