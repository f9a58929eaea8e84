import { Agent, get } from 'node:http';
import { parseJson } from '@capstan/contracts';
import { z } from 'zod';

/** What an OpenAI-compatible endpoint answers at /models. */
const ModelList = z.object({ data: z.array(z.object({ id: z.string().min(1).max(200) })).max(1_000) });
const largestAnswer = 1024 * 1024;

export interface Probe {
  readonly port: number;
  readonly path: string;
  readonly milliseconds: number;
}

/** The names of the models that something on this machine offers; none when nothing answers in time. Never leaves 127.0.0.1. */
export async function localModels({ port, path, milliseconds }: Probe): Promise<string[]> {
  const text = await textOf({ port, path, milliseconds });
  const list = ModelList.safeParse(parseJson(text ?? ''));
  const names = list.success ? list.data.data.map(({ id }) => id) : [];
  return [...new Set(names.filter((name) => !/[\p{Cc}\p{Cf}]/u.test(name)))].slice(0, 20);
}

/** The body of an answer with status 200. Redirects are not followed, and proxies of the environment are not used. */
function textOf({ port, path, milliseconds }: Probe): Promise<string | undefined> {
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(milliseconds);
    const options = { host: '127.0.0.1', port, path, signal, agent: new Agent() };
    const request = get(options, (response) => {
      if (response.statusCode !== 200) {
        response.destroy();
        return resolve(undefined);
      }
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
        if (text.length > largestAnswer) response.destroy();
      });
      response.on('end', () => resolve(text));
      response.on('error', () => resolve(undefined));
      response.on('close', () => resolve(undefined));
    });
    request.on('error', () => resolve(undefined));
  });
}
