import { join } from 'node:path';
import { environmentLayer } from './environment-layer.ts';
import type { Layer } from './layer.ts';
import { type MergedConfig, mergeLayers } from './merge-layers.ts';
import { badConfig } from './problem.ts';
import { projectFile, readProjectFile, readUserFile } from './read-config-file.ts';

export interface ConfigSources {
  readonly userFile: string;
  /** The user's file was named by CAPSTAN_CONFIG, so it has to be there. */
  readonly userFileNamed: boolean;
  /** Top folder of the checkout; without one there is no project's file. */
  readonly repository?: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** What the command line says. */
  readonly flags?: Layer;
}

export interface ConfigFile {
  readonly kind: 'user' | 'project';
  readonly path: string;
  readonly found: boolean;
}

export interface LoadedConfig extends MergedConfig {
  readonly files: readonly ConfigFile[];
}

const nothing: Layer = new Map();

/** Reads and merges all sources: defaults, user, project, environment, flags. Throws `bad-config`. */
export async function loadConfig(sources: ConfigSources): Promise<LoadedConfig> {
  const { userFile, repository, environment, flags = nothing } = sources;
  const user = await readUserFile(userFile);
  if (user === undefined && sources.userFileNamed) {
    const hint = 'Change CAPSTAN_CONFIG, or unset it.';
    throw badConfig([{ place: userFile, message: 'CAPSTAN_CONFIG names this file, and it is not there', hint }]);
  }
  const project = repository === undefined ? undefined : await readProjectFile(repository);
  const files: ConfigFile[] = [{ kind: 'user', path: userFile, found: user !== undefined }];
  const projectPath = repository === undefined ? undefined : join(repository, projectFile);
  if (projectPath !== undefined) files.push({ kind: 'project', path: projectPath, found: project !== undefined });
  const merged = mergeLayers({
    user: await parse(user, userFile, 'user'),
    project: await parse(project, projectPath ?? '', 'project'),
    environment: environmentLayer(environment),
    flags,
  });
  return { ...merged, files };
}

/** The parser is loaded when there is something to parse: most checkouts have no file. */
async function parse(text: string | undefined, file: string, kind: ConfigFile['kind']): Promise<Layer> {
  if (text === undefined) return nothing;
  const { parseConfig } = await import('./parse-config.ts');
  return parseConfig({ text, file, kind });
}
