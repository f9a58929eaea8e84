import { CapstanError } from '@capstan/contracts';
import type { HttpChoice } from './command-line.ts';
import type { ServerOptions } from './prepare-server.ts';

export async function serveHttp(
  options: ServerOptions,
  _choice: HttpChoice,
  _token: string | undefined,
): Promise<void> {
  throw new CapstanError('usage', `${options.name}: --http is not there yet.`);
}
