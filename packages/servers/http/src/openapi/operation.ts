import { z } from 'zod';
import { checkHeaders } from '../network/check-headers.ts';
import type { Operation } from './document.ts';
import { follow, type Members, membersOf, type Reading } from './reading.ts';

const ParameterObject = z.looseObject({
  name: z.string().min(1).max(200),
  in: z.enum(['path', 'query', 'header', 'cookie']),
  required: z.boolean().default(false),
  description: z.string().default(''),
  style: z.string().optional(),
  explode: z.boolean().optional(),
  schema: z.unknown().optional(),
  content: z.record(z.string(), z.unknown()).optional(),
  example: z.unknown().optional(),
});

/** A value that callers give, and how it gets into the request. */
export interface OperationParameter {
  /** The name of the argument: that of the parameter, in letters that every model's API takes. */
  readonly key: string;
  readonly name: string;
  readonly place: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly example: unknown;
  readonly schema: unknown;
  readonly form: 'plain' | 'repeated' | 'deep' | 'json';
}

export interface OperationBody {
  readonly mediaType: string;
  readonly form: 'json' | 'fields' | 'text';
  readonly required: boolean;
  readonly schema: unknown;
}

/** Arguments that every tool of an operation may have beside those of the document. */
const ownKeys = ['body', 'dryRun', 'textOffset'];

/** The parameters of an operation, those of its path with them. What cannot be sent is left out, or a problem if required. */
export function readParameters(
  shared: readonly unknown[],
  operation: Operation,
  reading: Reading,
): OperationParameter[] {
  const found = new Map<string, z.infer<typeof ParameterObject>>();
  for (const entry of [...shared, ...operation.parameters]) {
    const result = ParameterObject.safeParse(follow(entry, reading).members);
    if (result.success) found.set(`${result.data.in} ${result.data.name}`, result.data);
    else reading.problem('a parameter has no name, or no place that is known');
  }
  const taken = new Set(ownKeys);
  return [...found.values()].flatMap((parameter) => {
    const { name, in: place } = parameter;
    if (place === 'cookie' || (place === 'header' && !isOwnHeader(name))) {
      if (parameter.required) reading.problem(`the ${place} ${name} is required, and cannot be set by callers`);
      return [];
    }
    return [
      {
        ...shapeOf(parameter, reading),
        key: freeKey(name, place, taken),
        name,
        place,
        required: parameter.required || place === 'path',
      },
    ];
  });
}

/** Accept, Content-Type and Authorization are no parameters by the standard; others are not the caller's to set. */
function isOwnHeader(name: string): boolean {
  return name.toLowerCase() !== 'accept' && checkHeaders({ [name]: '' }, []) === undefined;
}

function shapeOf(parameter: z.infer<typeof ParameterObject>, reading: Reading) {
  const { description, example, content, style, explode } = parameter;
  const common = { description, example };
  if (content !== undefined) {
    const [media] = Object.values(content);
    return { ...common, schema: membersOf(media)?.schema ?? true, form: 'json' as const };
  }
  const usual = parameter.in === 'query' ? 'form' : 'simple';
  const known = style === undefined || style === usual || (parameter.in === 'query' && style === 'deepObject');
  if (!known) reading.problem(`the style ${style} of the parameter ${parameter.name} is not known`);
  const isRepeated = parameter.in === 'query' && explode !== false;
  const form = style === 'deepObject' ? 'deep' : isRepeated ? 'repeated' : 'plain';
  return { ...common, schema: parameter.schema ?? true, form } as const;
}

function freeKey(name: string, place: string, taken: Set<string>): string {
  const plain =
    name
      .replace(/[^A-Za-z0-9_.-]+/gu, '_')
      .replace(/^_+(?=.)|_+$/gu, '')
      .slice(0, 50) || 'value';
  const candidates = [
    plain,
    `${plain}_${place}`,
    ...Array.from({ length: 100 }, (_, index) => `${plain}_${index + 2}`),
  ];
  const key = candidates.find((candidate) => !taken.has(candidate)) ?? plain;
  taken.add(key);
  return key;
}

/** What an operation takes as its body; undefined when it takes none. */
export function readBody({ requestBody }: Operation, reading: Reading): OperationBody | undefined {
  if (requestBody === undefined) return undefined;
  const { members } = follow(requestBody, reading);
  const content = membersOf(members?.content) ?? {};
  const required = members?.required === true;
  for (const [form, kind] of bodyForms) {
    const mediaType = Object.keys(content).find((type) => kind.test(type));
    if (mediaType === undefined) continue;
    const media: Members | undefined = follow(content[mediaType], reading).members;
    return { mediaType, form, required, schema: media?.schema ?? true };
  }
  if (required)
    reading.problem(`its body cannot be made: ${Object.keys(content).slice(0, 3).join(', ') || 'it has no type'}`);
  return undefined;
}

const bodyForms = [
  ['json', /^application\/(?:[\w.-]+\+)?json\b/iu],
  ['fields', /^application\/x-www-form-urlencoded\b/iu],
  ['text', /^text\/(?!event-stream)[\w.-]+/iu],
] as const;
