import { CapstanError } from '@capstan/contracts';
import type { EndpointOptions } from '@capstan/knowledge';

/** The embeddings endpoint that the command line names, if any. Throws `usage`; the key is in no message. */
export function endpointOf(
  url: string | undefined,
  model: string | undefined,
  key: string | undefined,
): EndpointOptions | undefined {
  if (url === undefined && model === undefined) return undefined;
  if (url === undefined || model === undefined) {
    throw new CapstanError('usage', 'Embeddings need both --embeddings-url and --embeddings-model.');
  }
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw new CapstanError('usage', 'The address in --embeddings-url must begin with http:// or https://.');
  }
  return { url, model, ...(key === undefined ? {} : { key }) };
}
