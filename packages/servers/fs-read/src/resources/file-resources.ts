import { lstatSync } from 'node:fs';
import type { Page, Resource, ResourceReply, Resources } from '@capstan/tool-server';
import {
  checkRelativePath,
  decodeText,
  type Entry,
  errorCode,
  isDenied,
  readFileInside,
  walkFiles,
} from '@capstan/workspace';
import { completePath } from '../complete-path.ts';
import { imageType, textType } from '../media-type.ts';
import { fileTemplate, pathOfUri, uriOfPath } from './file-uri.ts';
import { watchFile } from './watch-file.ts';
import { watchList } from './watch-list.ts';

/** Files on one page of the list. */
const pageSize = 200;
const deepest = 64;

/** The files of a workspace as resources, without what list_files leaves out (requirement T2). */
export function fileResources(root: string): Resources {
  return {
    templates: [
      {
        uriTemplate: fileTemplate,
        name: 'file',
        title: 'File of the workspace',
        description: 'Text in any encoding that read_files knows, or bytes; up to 8 MiB. Secrets are refused.',
        complete: (_, typed) => completePath(root, typed),
      },
    ],
    list: (cursor, { signal }) => listPage(root, cursor, signal),
    read: (uri) => readResource(root, uri),
    watch: async (uri, changed) => {
      const path = pathOfUri(uri);
      return path === undefined ? undefined : watchFile(root, path, changed);
    },
    watchList: async (changed) => watchList(root, changed),
  };
}

/** A cursor is the path of the first file of the page: it stays right when files come and go. */
async function listPage(root: string, cursor: string | undefined, signal: AbortSignal): ReturnType<Resources['list']> {
  const from = cursor === undefined ? undefined : pathOfCursor(cursor);
  if (cursor !== undefined && from === undefined) return undefined;
  const items: Resource[] = [];
  let next: string | undefined;
  const options = { depth: deepest, ignore: true, ...(from === undefined ? {} : { from }) };
  const walked = await walkFiles(root, '.', options, async (entry) => {
    if (signal.aborted) return false;
    if (entry.kind !== 'file') return true;
    if (items.length === pageSize) next = entry.path;
    else items.push(resourceOf(entry));
    return next === undefined;
  });
  if ('failure' in walked) return walked;
  const page: Page<Resource> = { items };
  return next === undefined ? page : { ...page, nextCursor: Buffer.from(next).toString('base64url') };
}

function pathOfCursor(cursor: string): string | undefined {
  const path = Buffer.from(cursor, 'base64url').toString();
  if (Buffer.from(path).toString('base64url') !== cursor) return undefined;
  const checked = checkRelativePath(path);
  return 'failure' in checked ? undefined : checked.path;
}

function resourceOf(entry: Entry): Resource {
  const resource = { uri: uriOfPath(entry.path), name: entry.path };
  try {
    return { ...resource, size: lstatSync(entry.folder.at(entry.name)).size };
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || isDenied(error)) return resource;
    throw error;
  }
}

async function readResource(root: string, uri: string): Promise<ResourceReply> {
  const path = pathOfUri(uri);
  if (path === undefined) return undefined;
  const content = await readFileInside(root, path);
  if ('failure' in content) return content.failure.code === 'not-found' ? undefined : content;
  const text = decodeText(content.bytes)?.text;
  if (text !== undefined) return { contents: [{ uri, mimeType: textType(path), text }] };
  const mimeType = imageType(content.bytes) ?? 'application/octet-stream';
  return { contents: [{ uri, mimeType, bytes: content.bytes }] };
}
