import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findHostBreak } from './host-rules.ts';

test('T12: loopback, private, link-local and metadata addresses are found in every spelling that URLs have', () => {
  const urls = [
    ...[
      'http://127.0.0.1/',
      'http://localhost:8080/',
      'http://0x7f.1/',
      'http://2130706433/',
      'http://[::1]/',
      'http://10.1.2.3/',
    ],
    ...[
      'http://169.254.169.254/latest',
      'http://[fe80::1]/',
      'http://[fd00::1]/',
      'http://metadata.google.internal/',
      'ws://a.local/',
    ],
    ...['http://[::ffff:127.0.0.1]/', 'http://localhost./', 'http://192.168.0.1/', 'http://0.0.0.0/'],
  ];
  for (const url of urls) assert.equal(findHostBreak({ url }, '', [])?.rule, 'host-private', url);
});

test('T12: public hosts pass, and so do private ones that the user named or that are listed', () => {
  assert.equal(findHostBreak({ url: 'https://example.org/', n: 1 }, '', []), undefined);
  assert.equal(findHostBreak({ url: 'http://localhost:3000/x' }, 'see http://localhost:3000', []), undefined);
  assert.equal(findHostBreak({ url: 'http://10.0.0.5/' }, '', ['10.0.0.5']), undefined);
  assert.equal(findHostBreak({ body: 'http://127.0.0.1/' }, '', []), undefined);
});
