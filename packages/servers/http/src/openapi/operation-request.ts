import { param } from '@capstan/tool-server';
import type { Refusal } from '@capstan/workspace';
import { jsonBytes } from '../network/json-bytes.ts';
import type { CallerRequest } from '../network/plan-request.ts';
import type { Method } from '../rules/http-config.ts';
import type { OperationBody, OperationParameter } from './operation.ts';
import { membersOf } from './reading.ts';

/** An operation as it is called. */
export interface CallableOperation {
  readonly method: Method;
  /** Base address and path, with parameters in braces. */
  readonly template: string;
  readonly parameters: readonly OperationParameter[];
  readonly body: OperationBody | undefined;
}

type Values = Readonly<Record<string, unknown>>;

/** Makes the request for a call. A value can change no other part of it than its own. */
export function operationRequest(operation: CallableOperation, values: Values): CallerRequest | Refusal {
  const { method, parameters, body } = operation;
  const given = parameters.filter(({ key }) => values[key] !== undefined);
  const at = (place: string) => given.filter((parameter) => parameter.place === place);
  let url = operation.template;
  for (const { name, key } of at('path')) {
    const text = joined(values[key], encodeURIComponent);
    // A dot segment would be taken for a step up.
    if (/^(?:\.|%2e){0,2}$/iu.test(text)) {
      return param(
        `${key} cannot be ${JSON.stringify(values[key])}: it is a part of a path.`,
        'Give the id of one item.',
      );
    }
    url = url.replaceAll(`{${name}}`, () => text);
  }
  const query = at('query').flatMap((parameter) => queryPairs(parameter, values[parameter.key]));
  const headers = Object.fromEntries(at('header').map(({ name, key }) => [name, joined(values[key], String)]));
  const sent = body === undefined || values.body === undefined ? undefined : bodyBytes(body, values.body);
  if (sent !== undefined && 'failure' in sent) return sent;
  const separator = url.includes('?') ? '&' : '?';
  return {
    method,
    url: query.length === 0 ? url : `${url}${separator}${query.join('&')}`,
    headers,
    ...(sent === undefined ? {} : { body: sent }),
  };
}

function queryPairs({ name, form }: OperationParameter, value: unknown): string[] {
  const pair = (key: string, text: string) => `${encodeURIComponent(key)}=${text}`;
  const members = membersOf(value);
  if (form === 'json') return [pair(name, encodeURIComponent(JSON.stringify(value)))];
  if (form === 'deep' && members !== undefined) {
    return Object.entries(members).map(([key, member]) => pair(`${name}[${key}]`, joined(member, encodeURIComponent)));
  }
  if (form === 'plain') return [pair(name, joined(value, encodeURIComponent))];
  if (Array.isArray(value)) return value.map((item) => pair(name, encodeURIComponent(textOf(item))));
  if (members === undefined) return [pair(name, encodeURIComponent(textOf(value)))];
  return Object.entries(members).map(([key, member]) => pair(key, joined(member, encodeURIComponent)));
}

/** Lists with commas, objects as names and values in turn: the style that the standard calls simple. */
function joined(value: unknown, encode: (text: string) => string): string {
  const members = membersOf(value);
  const parts: unknown[] = Array.isArray(value)
    ? value
    : members === undefined
      ? [value]
      : Object.entries(members).flat();
  return parts.map((part) => encode(textOf(part))).join(',');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.toWellFormed() : JSON.stringify(value);
}

function bodyBytes({ form, mediaType }: OperationBody, value: unknown): NonNullable<CallerRequest['body']> | Refusal {
  if (form === 'json') {
    const bytes = jsonBytes(value);
    return 'failure' in bytes ? bytes : { bytes, contentType: mediaType };
  }
  if (form === 'text') return { bytes: Buffer.from(textOf(value)), contentType: mediaType };
  const fields = Object.entries(membersOf(value) ?? {}).flatMap(([name, member]) =>
    [member].flat().map((item) => [name, textOf(item)] as [string, string]),
  );
  return { bytes: Buffer.from(new URLSearchParams(fields).toString()), contentType: mediaType };
}
