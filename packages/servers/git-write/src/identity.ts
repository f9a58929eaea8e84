import type { Repository } from '@capstan/git-repository';
import { type Refusal, refuse } from '@capstan/workspace';
import { z } from 'zod';

const form = /^\s*([^<>\p{Cc}]*[^<>\p{Cc}\s])\s*<([^<>\s\p{Cc}]+)>\s*$/u;

export const IdentityInput = z
  .string()
  .max(300)
  .regex(form, 'must be a name and an address, such as "Ann <ann@example.org>"')
  .optional()
  .describe('Who commits, e.g. "Ann <ann@example.org>"; left out: as configured');

/** True for a text that names a person as commits do. */
export function isIdentity(text: string): boolean {
  return form.test(text);
}

/** Settings that say who commits: the call, else the server, else the repository. */
export function identitySettings(
  repository: Repository,
  ...given: readonly (string | undefined)[]
): readonly string[] | Refusal {
  const match = form.exec(given.find((text) => text !== undefined) ?? '');
  if (match !== null) return [`user.name=${match[1] ?? ''}`, `user.email=${match[2] ?? ''}`];
  const has = (name: string) => repository.settings.kept.some(({ key, value }) => key === name && value.trim() !== '');
  if (has('user.name') && has('user.email')) return [];
  return refuse(
    'no-identity',
    'It is not known who commits: neither the call, nor the server, nor the repository says it.',
    'Give identity, e.g. "Ann <ann@example.org>".',
  );
}
