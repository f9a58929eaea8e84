import { type Refusal, refuse } from './refusal.ts';

const relativeHint = 'Give the path relative to the workspace, with forward slashes, e.g. "src/sum.mjs".';

/**
 * Checks a path as text: relative, no `..`, no NUL, no back slash, representable. Gives it without `.` and doubled
 * slashes; the workspace itself is ".". What lies behind the path is checked when it is opened.
 */
export function checkRelativePath(path: string): { readonly path: string } | Refusal {
  const problem = problemOf(path);
  if (problem !== undefined) return refuse('path-refused', `The path ${quote(path)} ${problem}.`, relativeHint);
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.');
  return { path: segments.length === 0 ? '.' : segments.join('/') };
}

function problemOf(path: string): string | undefined {
  if (path === '') return 'is empty';
  if (path.includes('\0')) return 'contains a NUL byte';
  if (!path.isWellFormed()) return 'is not valid Unicode';
  if (/^([/~]|[a-zA-Z]:)/.test(path)) return 'is absolute';
  if (path.includes('\\')) return 'contains a back slash';
  const segments = path.split('/');
  if (segments.includes('..')) return 'contains ".."';
  if (segments.some((segment) => Buffer.byteLength(segment) > 255) || Buffer.byteLength(path) > 4000)
    return 'is too long';
  return undefined;
}

/** A path for a message: control characters made visible, long ones cut. */
export function quote(path: string): string {
  return JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}...` : path);
}
