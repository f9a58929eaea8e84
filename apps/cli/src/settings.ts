import { homedir } from 'node:os';
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { programName } from './program-name.ts';

/** Everything that the process's surroundings decide, read once in `main.ts`. */
export interface Settings {
  /** Folder of Capstan itself: the clone. */
  readonly installation: string;
  /** What the person types to start this program: hints are printed with it. */
  readonly program: string;
  /** The person's home folder. */
  readonly homeFolder: string;
  /** Folder of the data: database, blobs, workspaces (XDG; `CAPSTAN_HOME` overrides). */
  readonly home: string;
  /** Where the person stands: relative paths on the command line start here. */
  readonly currentFolder: string;
  /** PATH for the person's own tools: without the folders that npm and Capstan put in front of it. */
  readonly searchPath: string;
  /** Node that runs Capstan's server processes. */
  readonly node: string;
  readonly actor: string;
  /** The person's own configuration (XDG; `CAPSTAN_CONFIG` overrides), and whether it was named and so has to be there. */
  readonly configFile: string;
  readonly configFileNamed: boolean;
  /** All variables, as they are: for the configuration, and to find the secrets that are kept out of what is stored. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Reads the settings from the environment that `main.ts` hands over; the commands know only these settings. */
export function readSettings(environment: NodeJS.ProcessEnv, workingFolder: string, node: string): Settings {
  const installation = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
  const given = Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const currentFolder = environment.CAPSTAN_CWD ?? workingFolder;
  return {
    installation,
    program: programName({
      calledAs: nonEmpty(environment.CAPSTAN_PROGRAM),
      path: environment.PATH ?? '',
      currentFolder,
    }),
    homeFolder: nonEmpty(environment.HOME) ?? homedir(),
    home: dataFolder(environment),
    currentFolder,
    searchPath: searchPath(environment.PATH ?? '/usr/local/bin:/usr/bin:/bin', installation),
    node,
    actor: environment.USER ?? environment.LOGNAME ?? 'local',
    configFile: configFile(environment, currentFolder),
    configFileNamed: nonEmpty(environment.CAPSTAN_CONFIG) !== undefined,
    environment: Object.fromEntries(given),
  };
}

function dataFolder(environment: NodeJS.ProcessEnv): string {
  const chosen = nonEmpty(environment.CAPSTAN_HOME);
  if (chosen !== undefined) return resolve(chosen);
  const state = nonEmpty(environment.XDG_STATE_HOME);
  if (state !== undefined && isAbsolute(state)) return join(state, 'capstan');
  return join(nonEmpty(environment.HOME) ?? homedir(), '.local', 'state', 'capstan');
}

function configFile(environment: NodeJS.ProcessEnv, currentFolder: string): string {
  const chosen = nonEmpty(environment.CAPSTAN_CONFIG);
  if (chosen !== undefined) return resolve(currentFolder, chosen);
  const folder = nonEmpty(environment.XDG_CONFIG_HOME);
  const base =
    folder !== undefined && isAbsolute(folder) ? folder : join(nonEmpty(environment.HOME) ?? homedir(), '.config');
  return join(base, 'capstan', 'config.yaml');
}

function searchPath(path: string, installation: string): string {
  const folders = path.split(delimiter).filter((folder) => isAbsolute(folder));
  return folders
    .filter((folder) => !`${folder}/`.startsWith(`${installation}/`) && !isAddedByNpm(folder))
    .join(delimiter);
}

function isAddedByNpm(folder: string): boolean {
  return /[\\/]node_modules[\\/](\.bin|@npmcli[\\/]run-script[\\/])/.test(`${folder}/`);
}

function nonEmpty(value: string | undefined): string | undefined {
  return value === undefined || value === '' ? undefined : value;
}
