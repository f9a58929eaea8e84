import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** One way in which a repository can have git run a program of its choice. */
export interface HostileWay {
  readonly name: string;
  /** Settings of the repository; `RUN` is a command that leaves a mark. */
  readonly settings: readonly (readonly [key: string, value: string])[];
  readonly attributes?: string;
  readonly hooks?: boolean;
  /** What a plain git has to do for it to happen: shows that the way is real. */
  readonly control: readonly string[];
  readonly controlInput?: string;
}

/** The twelve ways of requirement G8 and F18's list. */
export const hostileWays: readonly HostileWay[] = [
  { name: 'hooks', settings: [], hooks: true, control: ['commit', '-qam', 'x'] },
  { name: 'fsmonitor', settings: [['core.fsmonitor', 'RUN; false']], control: ['status'] },
  {
    name: 'clean and smudge filters',
    settings: [
      ['filter.evil.clean', 'RUN; cat'],
      ['filter.evil.smudge', 'RUN; cat'],
      ['filter.evil.required', 'true'],
    ],
    attributes: '*.txt filter=evil\n',
    control: ['add', 'a.txt'],
  },
  {
    name: 'textconv',
    settings: [['diff.evil.textconv', 'RUN; cat']],
    attributes: '*.txt diff=evil\n',
    control: ['diff'],
  },
  {
    name: 'external diff',
    settings: [
      ['diff.external', 'RUN; true'],
      ['diff.evil.command', 'RUN; true'],
    ],
    attributes: '*.txt diff=evil\n',
    control: ['diff'],
  },
  {
    name: 'merge driver',
    settings: [['merge.evil.driver', 'RUN; true']],
    attributes: '*.txt merge=evil\n',
    control: ['-c', 'user.name=a', '-c', 'user.email=a@b', 'cherry-pick', 'side'],
  },
  {
    name: 'pager',
    settings: ['core.pager', 'pager.log', 'pager.diff', 'pager.status', 'pager.blame'].map((key) => [key, 'RUN; cat']),
    // Without a terminal no pager is run: that the setting would be used is all that can be shown.
    control: ['var', 'GIT_PAGER'],
  },
  {
    name: 'editor',
    settings: [
      ['core.editor', 'RUN; false'],
      ['sequence.editor', 'RUN; false'],
    ],
    control: ['commit', '-a'],
  },
  { name: 'ssh command', settings: [['core.sshCommand', 'RUN; false']], control: ['ls-remote', 'ssh://localhost/x'] },
  {
    name: 'credential helper',
    settings: [['credential.helper', '!RUN; false']],
    control: ['credential', 'fill'],
    controlInput: 'protocol=https\nhost=localhost\n\n',
  },
  {
    name: 'gpg program',
    settings: [
      ['gpg.program', 'PROGRAM'],
      ['commit.gpgSign', 'true'],
      ['log.showSignature', 'true'],
    ],
    control: ['commit', '-qam', 'x'],
  },
  { name: 'aliases', settings: [['alias.zz', '!RUN']], control: ['zz'] },
];

const hookNames = [
  ...['applypatch-msg', 'commit-msg', 'fsmonitor-watchman', 'post-checkout', 'post-commit', 'post-index-change'],
  ...['post-merge', 'post-rewrite', 'pre-commit', 'pre-merge-commit', 'pre-push', 'prepare-commit-msg'],
  ...['reference-transaction', 'push-to-checkout', 'post-applypatch', 'pre-auto-gc', 'pre-rebase'],
];

/** Runs a plain git, without the settings of this machine. */
export function plainGit(folder: string, args: readonly string[], input = ''): Buffer {
  return execFileSync('git', args, {
    cwd: folder,
    input,
    env: {
      ...{ PATH: process.env.PATH, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1', GIT_TERMINAL_PROMPT: '0' },
      ...{ GIT_AUTHOR_NAME: 'Ann', GIT_AUTHOR_EMAIL: 'ann@example.org' },
      ...{ GIT_COMMITTER_NAME: 'Ann', GIT_COMMITTER_EMAIL: 'ann@example.org', GIT_MERGE_AUTOEDIT: 'no' },
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

/** A repository with two branches that both change `a.txt`, and a change of it that is not committed. */
export function makeRepository(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const git = (...args: string[]) => plainGit(folder, args);
  git('init', '-q', '-b', 'main');
  const put = (text: string) => writeFileSync(join(folder, 'a.txt'), text);
  put('one\n');
  git('add', '.');
  git('commit', '-qm', 'first');
  git('switch', '-qc', 'side');
  put('side\n');
  git('commit', '-qam', 'side');
  git('switch', '-q', 'main');
  put('two\n');
  git('commit', '-qam', 'second');
  put('three\n');
}

/** Makes a repository hostile in one way; its program makes the file `mark`. */
export function makeHostile(folder: string, way: HostileWay, mark: string): void {
  const script = `#!/bin/sh\ntouch '${mark}'\n`;
  const program = join(folder, '..', `${way.name.replaceAll(' ', '-')}.sh`);
  writeFileSync(program, `${script}exit 1\n`);
  chmodSync(program, 0o755);
  for (const [key, value] of way.settings) {
    const text = value.replace('RUN', `touch '${mark}'`).replace('PROGRAM', program);
    plainGit(folder, ['config', '--file', join(folder, '.git', 'config'), key, text]);
  }
  const { attributes } = way;
  if (attributes !== undefined) {
    writeFileSync(join(folder, '.gitattributes'), attributes);
    mkdirSync(join(folder, '.git', 'info'), { recursive: true });
    appendFileSync(join(folder, '.git', 'info', 'attributes'), attributes);
  }
  if (!way.hooks) return;
  const elsewhere = join(folder, '..', 'more-hooks');
  for (const hooks of [join(folder, '.git', 'hooks'), elsewhere]) {
    mkdirSync(hooks, { recursive: true });
    for (const name of hookNames) {
      writeFileSync(join(hooks, name), script);
      chmodSync(join(hooks, name), 0o755);
    }
  }
}

/** True if a plain git, asked for what the way needs, does what the repository wants. */
export function isReal(folder: string, way: HostileWay, mark: string): boolean {
  let output = '';
  try {
    output = plainGit(folder, way.control, way.controlInput).toString();
  } catch {
    // Many of these programs end with a failure: that they were started is what counts.
  }
  return existsSync(mark) || output.includes(mark);
}
