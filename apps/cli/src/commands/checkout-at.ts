import { CapstanError } from '@capstan/contracts';
import { findRepository } from '@capstan/workspace';

/** Top folder of the checkout that a folder lies in; undefined when it lies in none. */
export async function checkoutAt(folder: string): Promise<string | undefined> {
  try {
    return (await findRepository(folder)).root;
  } catch (thrown) {
    if (thrown instanceof CapstanError) return undefined;
    throw thrown;
  }
}
