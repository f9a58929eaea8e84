import { type LoadedConfig, unknownVariables } from '@capstan/config';
import { toFailure } from '@capstan/contracts';
import { findModelEndpoint } from '../model-endpoint.ts';
import type { Settings } from '../settings.ts';
import type { Finding } from './finding.ts';

/** What `capstan doctor` says of the configuration that was loaded, or of why it could not be. */
export function configFindings(loaded: LoadedConfig | Error, settings: Settings): Finding[] {
  return [filesFinding(loaded), ...variableFindings(settings), modelFinding(loaded, settings)];
}

function filesFinding(loaded: LoadedConfig | Error): Finding {
  if (loaded instanceof Error) {
    const { message, hint } = toFailure(loaded);
    const detail = message.replaceAll('\n', `\n${' '.repeat(24)}`);
    return { part: 'configuration', state: 'broken', detail, ...(hint ? { hint } : {}) };
  }
  const found = loaded.files.filter((file) => file.found).map(({ kind, path }) => `${path} (${kind})`);
  const detail = found.length === 0 ? 'no file: the defaults count' : found.join(', ');
  return { part: 'configuration', state: 'works', detail };
}

function variableFindings({ environment }: Settings): Finding[] {
  return unknownVariables(environment).map(({ variable, meant }) => ({
    part: 'variable',
    state: 'missing',
    detail: `${variable} has no effect`,
    ...(meant === undefined ? {} : { hint: `Did you mean ${meant}?` }),
  }));
}

function modelFinding(loaded: LoadedConfig | Error, { environment }: Settings): Finding {
  const part = 'model';
  if (loaded instanceof Error) return { part, state: 'missing', detail: 'not known while the configuration is broken' };
  const { config } = loaded;
  const endpoint = findModelEndpoint(config, environment);
  const name = config.model.name === undefined ? '' : `${config.model.name} `;
  if (endpoint !== undefined) return { part, state: 'works', detail: `${name}at ${endpoint.shown} (not asked now)` };
  return {
    part,
    state: 'missing',
    detail: 'none configured: test-guided repair works without one',
    hint: 'For other tasks: capstan init, or set OPENAI_BASE_URL or OPENAI_API_KEY and use --model NAME.',
  };
}
