import { z } from 'zod';
import { addressRanges, isPublicAddress } from './public-address.ts';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** The methods that can be allowed; the first two have no effect and may be used by `fetch_url`. */
export const Method = z.enum(methods);
export type Method = z.infer<typeof Method>;

/** True for the methods that only read. */
export function hasNoEffect(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

const SecretName = z.string().regex(/^[a-z][a-z0-9-]{0,40}$/u, 'has to be lower-case letters, digits and hyphens');

const SecretSource = z
  .union(
    [
      z.strictObject({
        env: z.string().min(1).describe('A variable in the environment of the server, e.g. "API_TOKEN"'),
      }),
      z.strictObject({
        file: z.string().min(1).describe('A file that holds nothing else, e.g. "/run/secrets/api-token"'),
      }),
    ],
    { error: 'has to be { env: NAME } or { file: PATH }' },
  )
  .describe('Where the value comes from; it never stands in this file');

const HeaderSource = z
  .union(
    [
      z.strictObject({
        secret: SecretName.describe('A name from `secrets`, e.g. "api-token"'),
        prefix: z.string().max(100).default('').describe('What stands before the value, e.g. "Bearer "'),
      }),
      z.strictObject({
        secret: SecretName.describe('The password, a name from `secrets`, e.g. "api-password"'),
        user: z
          .string()
          .regex(/^[^:\p{Cc}]+$/u)
          .describe('User name for basic authentication, e.g. "bot"'),
      }),
    ],
    { error: 'has to be { secret: NAME, prefix: TEXT } or { secret: NAME, user: NAME }' },
  )
  .describe('A header that the server adds to each request of this rule');

const Host = z
  .string()
  .refine(isPlainHost, 'has to be a host as it stands in an address, such as api.example.com or *.example.com')
  .describe('Exact, or with all hosts below it, e.g. "api.example.com", "*.example.com"');

const Range = z.string().refine(isRange, 'has to be a range of addresses, such as 10.0.0.0/8 or ::1/128');

const HttpRule = z
  .strictObject({
    host: Host,
    scheme: z.enum(['https', 'http']).default('https').describe('`http` is not encrypted, e.g. "http"'),
    port: z.number().int().min(1).max(65_535).optional().describe('443, or 80 for http, unless said, e.g. 8443'),
    methods: z.array(Method).min(1).default(['GET', 'HEAD']).describe('e.g. [GET, POST]'),
    paths: z
      .array(z.string().startsWith('/', 'has to start with /'))
      .min(1)
      .default(['/'])
      .describe('Starts of paths, in whole segments, e.g. ["/v1/"]'),
    addresses: z
      .array(Range)
      .default([])
      .describe('Ranges that are not public and may be reached all the same, e.g. ["10.0.0.0/8"]'),
    headers: z
      .record(z.string().regex(/^[A-Za-z0-9-]+$/u), HeaderSource)
      .default({})
      .describe('e.g. Authorization'),
    authority: z.string().optional().describe('A PEM file with the certificates to trust here, e.g. "ca.pem"'),
    limits: z
      .strictObject({
        bytes: z
          .number()
          .int()
          .min(1)
          .max(16 * 1024 * 1024)
          .default(2 * 1024 * 1024),
        milliseconds: z.number().int().min(10).max(300_000).default(30_000),
        redirects: z.number().int().min(0).max(10).default(5),
      })
      .prefault({})
      .describe('Of a body after decompression; of a whole call; how often a redirect is followed'),
  })
  .superRefine((rule, context) => {
    const literal = rule.host.replace(/^\[|\]$/gu, '');
    if (/^[\d.]+$|:/u.test(literal) && !isPublicAddress(literal) && rule.addresses.length === 0) {
      context.addIssue({ code: 'custom', path: ['host'], message: 'is not public: list it under `addresses` too' });
    }
    if (rule.scheme === 'http' && Object.keys(rule.headers).length > 0 && rule.addresses.length === 0) {
      const message = 'would send a secret unencrypted: use https, or list the `addresses` of your own network';
      context.addIssue({ code: 'custom', path: ['headers'], message });
    }
  });
export type HttpRule = z.infer<typeof HttpRule>;

const ApiDocument = z
  .strictObject({
    name: z.string().regex(/^[a-z][a-z0-9_]{0,19}$/u, 'has to be up to 20 lower-case letters, digits and underscores'),
    document: z.string().min(1).describe('A file, or an address that a rule allows, e.g. "petstore.yaml"'),
    server: z.string().optional().describe('Base address, instead of the one in the document'),
    operations: z.array(z.string()).default([]).describe('operationIds to offer, e.g. ["listPets"]'),
    tags: z.array(z.string()).default([]).describe('Offer all operations with one of these tags, e.g. ["pets"]'),
  })
  .describe('An OpenAPI 3.0 or 3.1 document, whose operations become tools; all of them when none are chosen');

/** The configuration file of this server. */
export const HttpConfig = z
  .strictObject({
    secrets: z.record(SecretName, SecretSource).default({}),
    rules: z.array(HttpRule).min(1, 'has to name at least one host').max(200),
    documents: z.array(ApiDocument).max(10).default([]),
  })
  .superRefine((config, context) => {
    for (const [index, rule] of config.rules.entries()) {
      for (const [name, { secret }] of Object.entries(rule.headers)) {
        if (Object.hasOwn(config.secrets, secret)) continue;
        const message = `names the secret "${secret}", which \`secrets\` does not have`;
        context.addIssue({ code: 'custom', path: ['rules', index, 'headers', name, 'secret'], message });
      }
    }
  });
export type HttpConfig = z.infer<typeof HttpConfig>;

function isPlainHost(text: string): boolean {
  const host = text.replace(/^\*\./u, '');
  // A whole top-level domain is nobody's: *.com is refused, *.example.com is not.
  if (host !== text && !/^[^.]+\..*[^\d.]/u.test(host)) return false;
  return !/[*@]|\.$|:\d*$/u.test(host) && URL.parse(`http://${host}/`)?.hostname === host;
}

function isRange(text: string): boolean {
  try {
    addressRanges([text]);
    return true;
  } catch {
    return false;
  }
}
