import type { Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { defineTool, type Tool } from '@capstan/tool-server';
import {
  checkRelativePath,
  decodeText,
  denied,
  errorCode,
  type Folder,
  isDenied,
  isSecretPath,
  openFolderInside,
  type Refusal,
  readFileAtOnce,
  refuse,
  sha256,
} from '@capstan/workspace';
import { z } from 'zod';
import { LineEnds, textFacts } from './text-facts.ts';

/** The content of larger files is not looked at. Bytes. */
const largestLookedAt = 2 * 1024 * 1024;

const description = `Tells of up to 100 files and folders what they are, without their contents: kind, bytes, time of change, permissions; of files up to 2 MiB also sha256, encoding, line ends and number of lines. \
Use it to see whether a file has changed or is worth reading. Links are not followed; secrets are refused. \
For contents use read_files, for names list_files.`;

const FileFacts = z.strictObject({
  path: z.string(),
  kind: z.enum(['file', 'folder', 'link', 'other']).optional(),
  bytes: z.number().optional(),
  modified: z.string().optional().describe('ISO 8601, UTC'),
  mode: z.string().optional().describe('Permission bits, octal'),
  entries: z.number().optional().describe('Names in a folder'),
  sha256: z.string().optional(),
  encoding: z.string().optional().describe('"binary" for what is no text'),
  lineEnds: LineEnds.optional(),
  lines: z.number().optional(),
  error: z.string().optional(),
});
type FileFacts = z.infer<typeof FileFacts>;

/** The tool that describes files. */
export function statFilesTool(root: string): Tool {
  return defineTool({
    name: 'stat_files',
    title: 'Describe files',
    description,
    tier: 'read',
    idempotent: true,
    input: z.strictObject({
      paths: z.array(z.string()).min(1).max(100).describe('Relative to the workspace, e.g. ["src/sum.mjs", "docs"]'),
    }),
    output: z.strictObject({ files: z.array(FileFacts) }),
    handler: async ({ paths }) => {
      const files: FileFacts[] = [];
      let first: Refusal | undefined;
      for (const path of paths) {
        const facts = await describeFile(root, path);
        if ('failure' in facts) {
          first ??= facts;
          files.push({ path, error: facts.failure.message });
        } else files.push(facts);
      }
      if (first !== undefined && files.every((file) => file.error !== undefined)) return first;
      return { text: files.map(showFacts).join('\n'), structured: { files } };
    },
  });
}

async function describeFile(root: string, given: string): Promise<FileFacts | Refusal> {
  const checked = checkRelativePath(given);
  if ('failure' in checked) return checked;
  const { path } = checked;
  const folder = await openFolderInside(root, path === '.' ? path : dirname(path));
  if ('failure' in folder) return folder;
  await using open = folder;
  if (path === '.') return await folderFacts(open.here, path, await lstat(`${open.here}/.`));
  const name = basename(path);
  if (isSecretPath(path) || isSecretPath(join(relative(root, open.realPath), name))) return secret(path);
  const status = await statusOf(open, name, path);
  if (status === undefined)
    return refuse('not-found', `There is nothing at ${JSON.stringify(path)}.`, 'List the folder to see the names.');
  if ('failure' in status) return status;
  if (status.isDirectory()) return await folderFacts(open.at(name), path, status);
  if (!status.isFile()) return { ...commonFacts(path, status), kind: status.isSymbolicLink() ? 'link' : 'other' };
  return { ...commonFacts(path, status), kind: 'file', ...contentFacts(open, name) };
}

async function statusOf(folder: Folder, name: string, path: string): Promise<Stats | undefined | Refusal> {
  try {
    return await lstat(folder.at(name));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    if (isDenied(error)) return denied(path);
    throw error;
  }
}

async function folderFacts(place: string, path: string, status: Stats): Promise<FileFacts> {
  const { bytes: _, ...common } = commonFacts(path, status);
  const entries = await readdir(place).catch(() => undefined);
  return { ...common, kind: 'folder', ...(entries && { entries: entries.length }) };
}

function commonFacts(path: string, status: Stats) {
  const mode = (status.mode & 0o7777).toString(8).padStart(4, '0');
  return { path, bytes: status.size, modified: status.mtime.toISOString(), mode };
}

function contentFacts(folder: Folder, name: string): Partial<FileFacts> {
  const bytes = readFileAtOnce(folder, name, largestLookedAt);
  if (bytes === undefined) return {};
  const file = decodeText(bytes);
  if (file === undefined) return { sha256: sha256(bytes), encoding: 'binary' };
  const lines = file.text.split('\n').length - (file.text === '' || file.text.endsWith('\n') ? 1 : 0);
  return { sha256: sha256(bytes), ...textFacts(file), lines };
}

function secret(path: string): Refusal {
  return refuse(
    'path-refused',
    `${JSON.stringify(path)} is a file that holds secrets or runs code; no tool looks at it.`,
    'Go on without it, or ask the person to look.',
  );
}

function showFacts(file: FileFacts): string {
  if (file.error !== undefined) return `${file.path}: ${file.error}`;
  const facts = [
    file.kind,
    ...(file.bytes === undefined ? [] : [`${file.bytes} bytes`]),
    ...(file.entries === undefined ? [] : [`${file.entries} entries`]),
    `changed ${file.modified}`,
    `mode ${file.mode}`,
    ...(file.lines === undefined ? [] : [`${file.lines} lines`]),
    ...(file.encoding === undefined ? [] : [file.encoding]),
    ...(file.lineEnds === undefined ? [] : [`${file.lineEnds} line ends`]),
    ...(file.sha256 === undefined ? [] : [`sha256 ${file.sha256.slice(0, 12)}`]),
  ];
  return `${file.path}: ${facts.join(', ')}`;
}
