import { checkRelativePath } from '@capstan/workspace';

/** The scheme of the workspace's files: a URI says nothing of where the workspace lies on this machine. */
const start = 'workspace:///';

/** All files, as an RFC 6570 template. */
export const fileTemplate = `${start}{+path}`;

/** The URI of a file of the workspace. */
export function uriOfPath(path: string): string {
  return start + path.split('/').map(encodeURIComponent).join('/');
}

/** The path that a URI names, relative to the workspace; undefined for what is no URI of a file here. */
export function pathOfUri(uri: string): string | undefined {
  if (!uri.startsWith(start)) return undefined;
  const decoded = decodePart(uri.slice(start.length));
  if (decoded === undefined) return undefined;
  const checked = checkRelativePath(decoded);
  return 'failure' in checked || checked.path === '.' ? undefined : checked.path;
}

function decodePart(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
