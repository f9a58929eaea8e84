import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { destinationsOf, isNamed } from './destinations.ts';

test('G6: a destination counts as named only as a whole', () => {
  const text = 'Post it to https://api.example.com/v1 and mail Ann@Example.org, or 发给bob@例子.中国吧. Room #general.';
  const named = [
    'https://api.example.com/other',
    'api.example.com',
    'ann@example.org',
    'mailto:ANN@example.org',
    '#general',
  ];
  for (const destination of named) assert.equal(isNamed(destination, text, []), true, destination);
  const others = [
    ...[
      'https://api.example.com.evil.example/',
      'https://evil-api.example.com/',
      'http://api.example.com@evil.example/',
    ],
    ...[
      'example.com',
      'n@example.org',
      'ann@example.org.evil.example',
      'joann@example.org',
      'https://user:x@api.example.com/',
    ],
    ...['#gen', '', 'https://', 'api.example', '子.中国'],
  ];
  for (const destination of others) assert.equal(isNamed(destination, text, []), false, destination);
});

test('G6: Chinese text names an address without spaces around it', () => {
  assert.equal(isNamed('ann@example.org', '请把结果发给ann@example.org谢谢', []), true);
  assert.equal(isNamed('https://ci.example.org/x', '部署到ci.example.org。', []), true);
  assert.equal(isNamed('ann@example.org', '请把结果发给小明', []), false);
});

test('G6: the allow-list names whole hosts and addresses', () => {
  assert.equal(isNamed('https://hooks.example.org/a', '', ['hooks.example.org']), true);
  assert.equal(isNamed('https://hooks.example.org.evil.example/a', '', ['hooks.example.org']), false);
});

test('G6: no text that lacks a host names an address at it', () => {
  const label = fc.stringMatching(/^[a-z]{3,8}$/u);
  fc.assert(
    fc.property(label, label, fc.string({ maxLength: 60 }), (host, top, noise) => {
      const domain = `${host}.${top}`;
      fc.pre(!noise.toLowerCase().includes(domain));
      assert.equal(isNamed(`https://${domain}/path`, noise, []), false);
      assert.equal(isNamed(`https://${domain}/path`, `${noise} ${domain} `, []), true);
      assert.equal(isNamed(`https://${domain}/path`, `${noise} x${domain}y`, []), false);
    }),
  );
});

test('G6: destinations are found under their names, and addresses under any name', () => {
  assert.deepEqual(
    destinationsOf({ to: ['a@x.example', 'B <b@x.example>'], cc: 'c@x.example; d@x.example', body: 'e@x.example' }),
    [...['a@x.example', 'b@x.example', 'c@x.example', 'd@x.example']],
  );
  assert.deepEqual(destinationsOf({ via: 'https://x.example/?a=1,2', n: 1 }), ['https://x.example/?a=1,2']);
  assert.deepEqual(destinationsOf({ webhookUrl: '//x.example', 收件人: '小明' }), ['//x.example', '小明']);
  assert.deepEqual(destinationsOf({ body: 'see https://x.example', text: 'mail a@x.example' }), []);
  assert.deepEqual(destinationsOf({ options: { target_host: 'x.example' } }), ['x.example']);
});
