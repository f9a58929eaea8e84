import { decodeText } from '@capstan/workspace';
import { performRequest } from '../network/perform-request.ts';
import { planRequest } from '../network/plan-request.ts';
import type { CallDeps } from '../tools/call-deps.ts';
import type { FetchDocument } from './api-tools.ts';
import { mostDocumentBytes } from './document.ts';

/** Gets documents: from files as they are, from addresses by the rules that hold for every call. */
export function documentFetcher(deps: CallDeps, readFile: (path: string) => Promise<Buffer>): FetchDocument {
  return async (place) => {
    const isAddress = /^https?:/iu.test(place);
    const got = isAddress
      ? await fetchBytes(deps, place)
      : await readFile(place).catch(() => ({ problem: 'cannot be read' }));
    if ('problem' in got) return got;
    if (got.length > mostDocumentBytes) return { problem: `is larger than ${mostDocumentBytes} bytes` };
    const text = decodeText(got)?.text;
    return text === undefined ? { problem: 'is no text' } : { text };
  };
}

async function fetchBytes(deps: CallDeps, url: string): Promise<Buffer | { readonly problem: string }> {
  const planned = planRequest(deps.rules, { method: 'GET', url, headers: {} });
  const arrival = 'failure' in planned ? planned : await performRequest(deps, planned, new AbortController().signal);
  if ('failure' in arrival) return { problem: deps.redact(`cannot be fetched: ${arrival.failure.message}`) };
  if (arrival.status !== 200) return { problem: `cannot be fetched: the answer is ${arrival.status}` };
  return arrival.body.cut ? { problem: 'is larger than the limit of its rule' } : arrival.body.bytes;
}
