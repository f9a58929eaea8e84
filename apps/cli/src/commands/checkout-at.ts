import { CapstanError } from '@capstan/contracts';
import { findRepository } from '@capstan/workspace';

/** Top folder of the git checkout that a folder lies in; undefined when it lies in none. */
export async function checkoutAt(folder: string): Promise<string | undefined> {
  try {
    const { root, gitFolder } = await findRepository(folder);
    return gitFolder === undefined ? undefined : root;
  } catch (thrown) {
    if (thrown instanceof CapstanError) return undefined;
    throw thrown;
  }
}
