import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createRedactor, createValueRedactor, redactionMark, redactValue, secretsFromEnvironment } from './index.ts';

const secret = fc.oneof(
  fc.string({ minLength: 6, maxLength: 24, unit: 'grapheme' }),
  fc.string({ minLength: 6, maxLength: 24, unit: fc.constantFrom('a', 'b', '*', '"', '\\', '\n', '+', '/') }),
);

/** Text in which secrets and pieces of them stand side by side, in several forms. */
const salted = fc.array(secret, { minLength: 1, maxLength: 4 }).chain((secrets) =>
  fc.record({
    secrets: fc.constant(secrets),
    parts: fc.array(
      fc.oneof(
        fc.string({ maxLength: 8 }),
        fc.constantFrom(redactionMark, ' ', ...secrets, ...secrets.map((value) => value.slice(0, 4))),
        fc.constantFrom(...secrets.map((value) => Buffer.from(value).toString('base64'))),
        fc.constantFrom(...secrets.map((value) => encodeURIComponent(value.toWellFormed()))),
        fc.constantFrom(...secrets.map((value) => JSON.stringify(value))),
      ),
      { maxLength: 8 },
    ),
  }),
);

test('G11: no known secret survives redaction in any form', () => {
  fc.assert(
    fc.property(salted, ({ secrets, parts }) => {
      const result = createRedactor(secrets)(parts.join(''));
      for (const value of secrets) {
        assert.ok(!result.includes(value), 'plain');
        assert.ok(!result.includes(Buffer.from(value).toString('base64')), 'base64');
        assert.ok(!result.includes(encodeURIComponent(value.toWellFormed())), 'url');
        assert.ok(!result.includes(JSON.stringify(value).slice(1, -1)), 'json');
      }
    }),
    { numRuns: 500 },
  );
});

test('G11: redacting twice gives what once gives', () => {
  fc.assert(
    fc.property(salted, ({ secrets, parts }) => {
      const redact = createRedactor(secrets);
      const once = redact(parts.join(''));
      assert.equal(redact(once), once);
    }),
    { numRuns: 500 },
  );
});

test('text without secrets stays as it is', () => {
  const redact = createRedactor(['correct-horse-battery', 'short']);
  const text = 'a short task-abc risk-taking plan: sk-learn-compatible-estimator, bearer authentication, AKIA, eyJ';
  assert.equal(redact(text), text);
});

test('G11: a secret inside longer base64 text is found at every offset', () => {
  const redact = createRedactor(['hunter2-hunter2']);
  for (const before of ['', 'a', 'ab', 'abc', 'user:']) {
    const encoded = Buffer.from(`${before}hunter2-hunter2 and more`).toString('base64');
    const result = redact(`value=${encoded}`);
    assert.ok(result.includes(redactionMark), `offset ${before.length}`);
    assert.ok(!Buffer.from(result.slice(6), 'base64').toString().includes('hunter2-hunter2'));
  }
});

test('overlapping secrets leave no tail', () => {
  assert.equal(createRedactor(['abcdefgh', 'efghijkl'])('x abcdefghijkl y'), `x ${redactionMark} y`);
});

const pem = [
  '-----BEGIN RSA PRIVATE KEY-----',
  'QUJD'.repeat(16),
  'QUJD'.repeat(16),
  'QUI=',
  '-----END RSA PRIVATE KEY-----',
];
const shapes: Record<string, [text: string, secret: string]> = {
  'sk-': [`key sk-proj-${'aB3'.repeat(10)} end`, `sk-proj-${'aB3'.repeat(10)}`],
  ghp_: [`x=ghp_${'a1B2'.repeat(9)};`, `ghp_${'a1B2'.repeat(9)}`],
  AKIA: ['id AKIAIOSFODNN7EXAMPLE end', 'AKIAIOSFODNN7EXAMPLE'],
  xox: ['"xoxb-123456789012-abcdef"', 'xoxb-123456789012-abcdef'],
  jwt: [`t ${['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiIxIn0', 'c2lnbmF0dXJl'].join('.')} end`, 'c2lnbmF0dXJl'],
  bearer: ['Authorization: Bearer abc.def-ghi', 'abc.def-ghi'],
  'bearer in JSON': [String.raw`{\"authorization\":\"Bearer abcdefgh\"}`, 'abcdefgh'],
  basic: ['authorization: basic dXNlcjpwYXNz', 'dXNlcjpwYXNz'],
  url: ['postgres://me:opensesame@db/x', 'opensesame'],
  pem: [pem.join('\n'), 'QUJD'],
  'pem in JSON': [JSON.stringify(pem.join('\n')), 'QUJD'],
  'pem in a diff': [pem.map((line) => `-${line}`).join('\n'), 'QUJD'],
  'pem cut off': [pem.slice(0, 3).join('\n'), 'QUJD'],
};
for (const [name, [text, hidden]] of Object.entries(shapes)) {
  test(`G11: the shape "${name}" is redacted`, () => {
    const redact = createRedactor([]);
    const result = redact(text);
    assert.ok(!result.includes(hidden), result);
    assert.ok(result.includes(redactionMark));
    assert.equal(redact(result), result);
  });
}

test('a private key takes no prose with it', () => {
  const text = `before\n${pem.join('\n')}\nafter it come ordinary words`;
  assert.equal(createRedactor([])(text), `before\n${redactionMark}\nafter it come ordinary words`);
});

test('redactValue reaches names, lists and nested values, and cuts what is too deep', () => {
  const redact = createRedactor(['hunter22']);
  const value = { hunter22: ['a hunter22', { deep: 'hunter22', count: 3, none: null, yes: true }] };
  assert.deepEqual(redactValue(value, redact), { '***': ['a ***', { deep: '***', count: 3, none: null, yes: true }] });
  let deep: unknown = 'hunter22';
  for (let level = 0; level < 10_000; level += 1) deep = [deep];
  assert.ok(!JSON.stringify(redactValue(deep, redact)).includes('hunter22'));
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  assert.ok(JSON.stringify(redactValue(cycle, redact)).endsWith('"***"'.padEnd(5 + 64, '}')));
});

test('redactValue keeps a member named __proto__ a plain member', () => {
  const parsed: unknown = JSON.parse('{"__proto__": {"admin": true}}');
  const copy = redactValue(parsed, (text) => text);
  assert.equal(JSON.stringify(copy), '{"__proto__":{"admin":true}}');
  assert.equal((copy as { admin?: boolean }).admin, undefined);
});

test('G11: secrets of an environment are those under names of keys, tokens and passwords', () => {
  const found = secretsFromEnvironment({
    OPENAI_API_KEY: 'value-openai',
    AWS_SECRET_ACCESS_KEY: '/value-aws+x',
    GITHUB_TOKEN: 'value-github',
    DB_PASSWORD: '12345678',
    npm_config__authToken: 'value-npm',
    DATABASE_URL: 'postgres://me:pa%24sword@db/x',
    SHORT_TOKEN: 'abc',
    MAX_TOKENS: '400000',
    GOOGLE_APPLICATION_CREDENTIALS: '/home/me/key.json',
    SSH_AUTH_SOCK: '/tmp/agent.sock',
    PATH: '/usr/bin:/bin',
    OLDPWD: '/home/me/work',
    KEYBOARD: 'qwertyuiop',
    UNSET_TOKEN: undefined,
  });
  assert.deepEqual(found.sort(), [
    '/value-aws+x',
    '12345678',
    'pa$sword',
    'pa%24sword',
    'value-github',
    'value-npm',
    'value-openai',
  ]);
});

test('redaction of long hostile text comes to an end', () => {
  const redact = createRedactor([]);
  const hostile = [
    '-----BEGIN PRIVATE KEY-----',
    '+'.repeat(200_000),
    '://a:',
    'sk-'.repeat(20_000),
    'authorization '.repeat(9000),
  ];
  const result = redact(hostile.join('\n'));
  assert.ok(result.length < hostile.join('\n').length);
});

test('a redactor of values leaves what only looks like a credential', () => {
  const redact = createValueRedactor(['correct-horse-battery']);
  const other = 'ghp_0123456789abcdefghijklmnop';
  assert.equal(redact(`correct-horse-battery ${other}`), `${redactionMark} ${other}`);
});
