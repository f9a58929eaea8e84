import type { KeyPath } from './key-path.ts';
import type { Value } from './tighten.ts';

/** Where a value comes from. */
export type Origin =
  | { readonly kind: 'default' }
  | { readonly kind: 'user' | 'project'; readonly file: string; readonly line: number; readonly column: number }
  | { readonly kind: 'environment'; readonly variable: string }
  | { readonly kind: 'flag'; readonly flag: string };

export interface Setting {
  readonly value: Value;
  readonly origin: Origin;
}

/** What one source sets: keys that it does not have are not set by it. */
export type Layer = ReadonlyMap<KeyPath, Setting>;

/** An origin for people: `file:line:column`, the variable, the flag, or "default". */
export function describeOrigin(origin: Origin): string {
  switch (origin.kind) {
    case 'default':
      return 'default';
    case 'user':
    case 'project':
      return `${origin.file}:${origin.line}:${origin.column}`;
    case 'environment':
      return `environment ${origin.variable}`;
    case 'flag':
      return `flag ${origin.flag}`;
  }
}
