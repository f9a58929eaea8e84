/** One entry of a configuration file. Keys as `git config --list` writes them: section and name in small letters. */
export interface Setting {
  readonly key: string;
  readonly value: string;
}

/** What is known of a repository's configuration, and the little of it that is used. */
export interface KeptSettings {
  /** Values that say what the repository is, and name no program: the only ones that git gets to see. */
  readonly kept: readonly Setting[];
  /** Names of content filters that are declared, such as "lfs". They are never run. */
  readonly filters: readonly string[];
  /** An extension that changes how the repository has to be read and that is not known here. */
  readonly unknownExtension: string | undefined;
  /** Where the configuration says that the files are. */
  readonly workTree: string | undefined;
  readonly isPartialClone: boolean;
  readonly isBare: boolean;
}

const keptNames = new Set([
  ...['core.repositoryformatversion', 'core.filemode', 'core.ignorecase', 'core.symlinks', 'core.precomposeunicode'],
  ...['core.autocrlf', 'core.eol', 'core.trustctime', 'core.checkstat', 'core.sparsecheckout'],
  ...['core.sparsecheckoutcone', 'extensions.objectformat', 'user.name', 'user.email', 'i18n.commitencoding'],
]);
const keptPattern = /^(branch\..+\.(remote|merge)|remote\..+\.(url|pushurl|fetch))$/s;
const knownExtensions = new Set(['objectformat', 'worktreeconfig', 'partialclone', 'noop', 'preciousobjects']);

/** Reads what `git config --list -z` writes (pure). */
export function readSettings(listing: string): Setting[] {
  return listing
    .split('\0')
    .filter((row) => row !== '')
    .map((row) => {
      const end = row.indexOf('\n');
      // A name without a value means yes.
      return end < 0 ? { key: row, value: 'true' } : { key: row.slice(0, end), value: row.slice(end + 1) };
    });
}

/** Chooses what is used of a configuration (pure). The list says what is taken; whatever it does not name is left out. */
export function keepSettings(settings: readonly Setting[]): KeptSettings {
  const last = (key: string) => settings.findLast((setting) => setting.key === key)?.value;
  const extensions = settings.flatMap(({ key, value }) => {
    const name = /^extensions\.(.+)$/.exec(key)?.[1];
    return name === undefined || (name === 'refstorage' && value === 'files') ? [] : [name];
  });
  return {
    kept: settings.filter(({ key }) => keptNames.has(key) || keptPattern.test(key)),
    filters: [...new Set(settings.flatMap(({ key }) => /^filter\.(.+)\.[^.]+$/s.exec(key)?.[1] ?? []))],
    unknownExtension: extensions.find((name) => !knownExtensions.has(name)),
    workTree: last('core.worktree'),
    isPartialClone: settings.some(
      ({ key }) => /^remote\..+\.promisor$/s.test(key) || key === 'extensions.partialclone',
    ),
    isBare: /^(true|yes|on|1)$/i.test(last('core.bare') ?? ''),
  };
}

/** Settings as a configuration file that git reads to the same values (pure). */
export function writeSettings(settings: readonly Setting[]): string {
  return settings.map(writeSetting).join('');
}

function writeSetting({ key, value }: Setting): string {
  const section = key.slice(0, key.indexOf('.'));
  const name = key.slice(key.lastIndexOf('.') + 1);
  const middle = key.slice(section.length + 1, Math.max(section.length + 1, key.length - name.length - 1));
  // A section name cannot hold a line end; git would not have read one.
  if (middle.includes('\n')) return '';
  const escaped = value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t');
  const head = middle === '' ? section : `${section} "${middle.replace(/[\\"]/g, '\\$&')}"`;
  return `[${head}]\n\t${name} = "${escaped}"\n`;
}
