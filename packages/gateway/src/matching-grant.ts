import type { Grant, ToolCall } from '@capstan/contracts';

/** The first standing grant that covers a call: same tool, not expired, and every pattern matches (requirement G3). */
export function matchingGrant(grants: readonly Grant[], call: ToolCall, now: number): Grant | undefined {
  return grants.find((grant) => {
    if (grant.tool !== call.name || (grant.expiresAt !== undefined && grant.expiresAt <= now)) return false;
    return Object.entries(grant.pattern ?? {}).every(([name, glob]) => matches(glob, call.arguments[name]));
  });
}

/** A value that climbs with `..` matches nothing: `src/**` must not cover `src/../secret`. */
function matches(glob: string, value: unknown): boolean {
  if (typeof value !== 'string') return false;
  return !/(^|[/\\])\.\.([/\\]|$)/u.test(value) && globPattern(glob).test(value);
}

/** `*` and `?` stay within a path segment, `**` does not. */
function globPattern(glob: string): RegExp {
  const source = glob.replace(/\*\*|[*?]|[^*?]+/gu, (part) => {
    if (part === '**') return '.*';
    if (part === '*') return '[^/]*';
    return part === '?' ? '[^/]' : part.replace(/[\\^$.|+()[\]{}]/gu, '\\$&');
  });
  return new RegExp(`^${source}$`, 'su');
}
