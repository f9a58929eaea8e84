import { z } from 'zod';

/** Which checks may be run: those of `only`, where it is set, without those of `deny`. */
export const CheckPermission = z.strictObject({
  only: z.array(z.string()).optional(),
  deny: z.array(z.string()).default([]),
});
export type CheckPermission = z.infer<typeof CheckPermission>;

/** Splits checks into those that may be run and those that are switched off. */
export function permitChecks<Found extends { readonly id: string }>(
  checks: readonly Found[],
  { only, deny }: CheckPermission,
): { readonly permitted: Found[]; readonly off: Found[] } {
  const isPermitted = ({ id }: Found) => (only?.includes(id) ?? true) && !deny.includes(id);
  return { permitted: checks.filter(isPermitted), off: checks.filter((check) => !isPermitted(check)) };
}

/** Reads a permission from the command line of a server; undefined for what is none. */
export function readCheckPermission(text: string): CheckPermission | undefined {
  try {
    return CheckPermission.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
