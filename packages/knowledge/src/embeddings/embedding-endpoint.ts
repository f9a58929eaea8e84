import { z } from 'zod';

/** Where vectors come from: an endpoint that speaks OpenAI's form of `/embeddings`. */
export interface EndpointOptions {
  /** Up to and with the version, e.g. "http://127.0.0.1:11434/v1". */
  readonly url: string;
  readonly model: string;
  /** Sent as a bearer token; never part of a result or a message. */
  readonly key?: string;
}

/** One vector per text, all of one length; or why there are none, in words that name no address and no key. */
export type Embedded = { readonly vectors: readonly Float32Array[] } | { readonly problem: string };

const mostNumbers = 16_384;
const largestAnswer = 64 * 1024 * 1024;

const Answer = z.object({
  data: z.array(
    z.object({ index: z.number().int().optional(), embedding: z.array(z.number()).min(1).max(mostNumbers) }),
  ),
});

/** Asks the endpoint for vectors of texts. Never throws: an endpoint that is down is an expected outcome. */
export async function embedTexts(
  { url, model, key }: EndpointOptions,
  texts: readonly string[],
  timeoutMs: number,
): Promise<Embedded> {
  try {
    const response = await fetch(`${url.replace(/\/+$/, '')}/embeddings`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) },
      body: JSON.stringify({ model, input: texts, encoding_format: 'float' }),
      signal: AbortSignal.timeout(timeoutMs),
      redirect: 'error',
    });
    if (!response.ok) {
      await response.body?.cancel();
      return { problem: `the endpoint answered with status ${response.status}` };
    }
    const body = await readBounded(response);
    return body === undefined ? { problem: 'the answer of the endpoint is too large' } : readAnswer(body, texts.length);
  } catch (error) {
    return { problem: problemOf(error, timeoutMs) };
  }
}

async function readBounded(response: Response): Promise<string | undefined> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body as AsyncIterable<Uint8Array>) {
    size += part.byteLength;
    if (size > largestAnswer) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function readAnswer(body: string, count: number): Embedded {
  const answer = Answer.safeParse(parseJson(body));
  if (!answer.success) return { problem: 'the endpoint answered with something else than vectors' };
  const { data } = answer.data;
  if (data.length !== count) return { problem: `the endpoint answered with ${data.length} vectors for ${count} texts` };
  const ordered = data.every(({ index }) => index !== undefined)
    ? data.toSorted((first, second) => (first.index ?? 0) - (second.index ?? 0))
    : data;
  const vectors = ordered.map(({ embedding }) => unit(embedding));
  const length = vectors[0]?.length;
  if (vectors.some((vector) => vector.length !== length))
    return { problem: 'the endpoint answered with vectors of different lengths' };
  return { vectors };
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Of length 1, so that a product of two is their similarity. A vector of zeros stays: it resembles nothing. */
function unit(numbers: readonly number[]): Float32Array {
  const length = Math.hypot(...numbers);
  return Float32Array.from(numbers, (number) => (length > 0 ? number / length : 0));
}

function problemOf(error: unknown, timeoutMs: number): string {
  if (error instanceof Error && error.name === 'TimeoutError')
    return `the endpoint did not answer in ${timeoutMs / 1000} s`;
  return 'the endpoint cannot be reached';
}
