import { shellWord } from '../shell-word.ts';
import type { FoundModel } from './found-models.ts';
import type { NewFile } from './write-new-file.ts';

interface InitRepository {
  readonly root: string;
  /** Files that steer agents or run code. */
  readonly files: readonly string[];
  /** All of them: a large checkout is not looked through to its end. */
  readonly complete: boolean;
  /** The list has been shown already. */
  readonly isShown?: boolean;
}

/** What `capstan init` did and found, as one JSON document. */
export interface InitReport {
  readonly userFile?: { readonly path: string; readonly state: NewFile };
  readonly projectFile?: { readonly path: string; readonly state: NewFile };
  readonly models?: readonly FoundModel[];
  readonly chosen?: string;
  readonly repository?: InitRepository;
  readonly trust?: {
    readonly answer: 'local' | 'yes' | 'no' | 'nobody' | 'revoked';
    readonly endpoint?: string;
  };
}

const mostShown = 30;

/** A report for people. */
export function initLines(report: InitReport): string[] {
  const { repository } = report;
  return [
    ...fileLines(report),
    ...modelLines(report),
    ...(repository === undefined || repository.isShown ? [] : steeringLines(repository)),
    ...trustLines(report),
    ...nextLines(report),
  ];
}

function fileLines({ userFile, projectFile }: InitReport): string[] {
  const lines: string[] = [];
  if (userFile?.state === 'written') lines.push(`Written: ${userFile.path}. Every key stands in it as a comment.`);
  if (userFile?.state === 'exists')
    lines.push(`${userFile.path} is there and stays as it is; capstan config says what counts.`);
  if (projectFile?.state === 'written')
    lines.push(`Written: ${projectFile.path}. Take the "# " away in front of what you want, and commit it.`);
  if (projectFile?.state === 'exists') lines.push(`${projectFile.path} is there and stays as it is.`);
  return lines;
}

function modelLines({ models = [], chosen, userFile }: InitReport): string[] {
  if (userFile === undefined) return [];
  if (chosen !== undefined)
    return [`Runs use the model ${chosen} unless they are told otherwise (--model, --no-model).`];
  if (models.length === 0) return ['No model was found; test-guided repair needs none.'];
  return [
    'Models that were found (set model.name in the file, or name one with --model):',
    ...models.map(({ name, shown, why }) => `  ${name ?? 'one that you name'} at ${shown} (${why})`),
  ];
}

/** What a person should have seen of a checkout before agents work in it. */
export function steeringLines({ root, files, complete }: InitRepository): string[] {
  if (files.length === 0) return [`No files in ${root} steer agents or run code.`];
  const shown = files.slice(0, mostShown);
  const more = files.length - shown.length;
  const rest = more > 0 ? [`  ... and ${more}${complete ? '' : ' or more'} others`] : [];
  return [
    `Files in ${root} that can steer agents or run code; look at those that you do not know:`,
    ...shown.map((path) => `  ${path}`),
    ...rest,
  ];
}

function trustLines({ trust, repository }: InitReport): string[] {
  const command = `capstan init --repo ${shellWord(repository?.root ?? 'PATH')} --trust-model`;
  switch (trust?.answer) {
    case undefined:
      return [];
    case 'local':
      return [`The model at ${trust.endpoint} is on this machine: nothing has to be agreed to.`];
    case 'yes':
      return [
        `Code of this checkout may be sent to ${trust.endpoint}. Take it back with: ${command.replace('--trust', '--revoke')}`,
      ];
    case 'no':
      return [`Code of this checkout is not sent to ${trust.endpoint}.`];
    case 'nobody':
      return [
        trust.endpoint === undefined
          ? 'Nobody had agreed to anything here.'
          : `Before code of this checkout is sent to ${trust.endpoint}, somebody has to agree: ${command}`,
      ];
    case 'revoked':
      return ['Taken back: code of this checkout is not sent to a configured model any more.'];
  }
}

function nextLines({ userFile, repository }: InitReport): string[] {
  if (userFile === undefined) return [];
  const where = repository === undefined ? ' --repo PATH' : ` --repo ${shellWord(repository.root)}`;
  return [`Next: capstan doctor, then capstan run${where} "make the failing tests pass"`];
}
