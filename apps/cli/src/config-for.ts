import { type Layer, type LoadedConfig, loadConfig } from '@capstan/config';
import type { Settings } from './settings.ts';

export interface ConfigRequest {
  /** Top folder of the checkout whose file counts too. */
  readonly repository?: string | undefined;
  /** What the command line says. */
  readonly flags?: Layer;
}

/** The configuration that counts for a person, in a checkout or outside of one. Throws `bad-config`. */
export function configFor(settings: Settings, { repository, flags }: ConfigRequest = {}): Promise<LoadedConfig> {
  return loadConfig({
    userFile: settings.configFile,
    userFileNamed: settings.configFileNamed,
    environment: settings.environment,
    ...(repository === undefined ? {} : { repository }),
    ...(flags === undefined ? {} : { flags }),
  });
}
