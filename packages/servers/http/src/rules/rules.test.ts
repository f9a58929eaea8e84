import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { findRule } from './find-rule.ts';
import { HttpConfig } from './http-config.ts';
import { addressRanges, isListedAddress, isPublicAddress } from './public-address.ts';
import { readUrl } from './read-url.ts';
import { compileRules } from './rule.ts';

function rulesOf(...rules: object[]) {
  return compileRules(HttpConfig.parse({ rules }), { secrets: new Map(), authorities: new Map() });
}

describe('addresses in URLs', () => {
  test('T12: spellings that can mean another host are refused, with the plain spelling', () => {
    const refused = [
      ...['http://2130706433/', 'http://0x7f.1/', 'http://0177.0.0.1/', 'http://127.1/', 'http://１２７.0.0.1/'],
      ...[
        'http://user@api.example.com/',
        'http://api.example.com@evil.example/',
        'http://api.example.com:80@evil.example/',
      ],
      ...['http://api.example.com./', 'http://ａpi.example.com/', 'http://api%2eexample.com/', 'http://例子.中国/'],
      ...[
        'http://api.example.com\\@evil.example/',
        'http:\\\\api.example.com/',
        'http:/api.example.com/',
        'http:api.example.com',
      ],
      ...[
        'http://api.exam\tple.com/',
        'http://api.example.com/\nx',
        ' http://api.example.com/',
        'http://api.example.com/\u200b',
      ],
      ...['http://[::ffff:127.0.0.1]/', 'http://[0:0::1]/', 'http:///api.example.com/', 'http://api。example.com/'],
      ...['ftp://api.example.com/', 'file:///etc/passwd', 'javascript:alert(1)', '//api.example.com/', '', 'http://'],
      `http://api.example.com/${'x'.repeat(8000)}`,
    ];
    for (const text of refused) assert.ok('failure' in readUrl(text), text);
    assert.match(JSON.stringify(readUrl('http://2130706433/')), /Write the host as 127\.0\.0\.1/);
    assert.match(JSON.stringify(readUrl('http://例子.中国/')), /Write the host as xn--fsqu00a\.xn--fiqs8s/);
    for (const text of [
      'https://API.example.com:8443/a?b=c#d',
      'http://[::1]/',
      'http://10.0.0.1',
      'https://h/中?文=字',
    ]) {
      assert.ok(!('failure' in readUrl(text)), text);
    }
  });

  test('T12: whatever passes has the host that is written in it, and no rule for one host lets another one pass', () => {
    const rules = rulesOf({ host: 'api.example.com' }, { host: '*.open.example' });
    const host = fc.constantFrom('api.example.com', 'a.open.example', 'evil.example', '127.0.0.1', 'open.example');
    const glue = fc.constantFrom(
      '',
      '@',
      ':',
      '/',
      '\\',
      '.',
      '#',
      '?',
      '%2f',
      '%40',
      '\t',
      '。',
      '[',
      ']',
      ':443',
      '//',
      '..',
    );
    const text = fc
      .tuple(
        fc.constantFrom('https://', 'https:/', 'HTTPS://', 'https:\\\\'),
        fc.array(fc.oneof(host, glue, fc.string({ maxLength: 3 })), { maxLength: 6 }),
      )
      .map(([scheme, parts]) => scheme + parts.join(''));
    fc.assert(
      fc.property(text, (written) => {
        const url = readUrl(written);
        if ('failure' in url) return;
        const afterScheme = written.slice(8).toLowerCase();
        assert.ok(afterScheme.startsWith(url.hostname), written);
        assert.match(afterScheme.slice(url.hostname.length), /^(?:$|[:/?#])/u);
        const isAllowed = !('failure' in findRule(rules, 'GET', url));
        const isNamed = url.hostname === 'api.example.com' || url.hostname.endsWith('.open.example');
        assert.equal(isAllowed, isNamed && url.port === '' && url.protocol === 'https:', written);
      }),
      { numRuns: 3000 },
    );
  });
});

describe('rules', () => {
  test('T12: host, scheme, port, method and path have to fit one rule, and the answer says what fits', () => {
    const rules = rulesOf(
      { host: 'api.example.com', paths: ['/v1/', '/health'], methods: ['GET', 'POST'] },
      { host: '*.open.example', port: 8443 },
    );
    const judge = (method: 'GET' | 'POST', url: string) => {
      const rule = findRule(rules, method, new URL(url));
      return 'failure' in rule ? `${rule.failure.message} ${rule.failure.hint}` : rule.name;
    };
    assert.equal(judge('POST', 'https://api.example.com/v1/items'), 'https://api.example.com');
    assert.equal(judge('GET', 'https://api.example.com/health'), 'https://api.example.com');
    assert.equal(judge('GET', 'https://a.b.open.example:8443/'), 'https://*.open.example:8443');
    assert.match(judge('GET', 'https://open.example:8443/'), /Allowed: https:\/\/api\.example\.com, /);
    assert.match(judge('GET', 'http://api.example.com/v1/'), /not in the list/);
    assert.match(judge('GET', 'https://api.example.com/healthy'), /Allowed there: \/v1\/, \/health/);
    assert.match(judge('POST', 'https://a.open.example:8443/'), /POST is not allowed.*GET, HEAD/);
    for (const path of [
      '/v1/../admin',
      '/v1/..%2fadmin',
      '/v1/%2e%2e/admin',
      '/v1/..;/admin',
      '/v1/%252e%252e/x',
      '/v1/a%5c..%5cb',
    ]) {
      assert.match(judge('GET', `https://api.example.com${path}`), /is not allowed at/, path);
    }
  });

  test('T12: mistakes in the configuration are refused', () => {
    const wrong = [
      ...[{ host: '*' }, { host: '*.com' }, { host: '*.1.2.3' }, { host: 'API.example.com' }, { host: 'a.example/x' }],
      ...[
        { host: 'a.example:80' },
        { host: 'a@b.example' },
        { host: '127.0.0.1' },
        { host: '[::1]' },
        { host: 'a.example.' },
      ],
      ...[
        { host: 'a.b', addresses: ['10.0.0.0/33'] },
        { host: 'a.b', addresses: ['10.0/8'] },
        { host: 'a.b', method: ['GET'] },
      ],
      ...[
        { host: 'a.b', methods: ['TRACE'] },
        { host: 'a.b', paths: ['v1'] },
        { host: 'a.b', headers: { A: { secret: 'x' } } },
      ],
    ];
    for (const rule of wrong)
      assert.equal(HttpConfig.safeParse({ rules: [rule] }).success, false, JSON.stringify(rule));
    const clear = { host: 'a.b', scheme: 'http', headers: { A: { secret: 'x' } } };
    assert.equal(HttpConfig.safeParse({ secrets: { x: { env: 'X' } }, rules: [clear] }).success, false);
    const own = { ...clear, addresses: ['10.0.0.0/8'] };
    const config = HttpConfig.parse({ secrets: { x: { env: 'X' } }, rules: [own] });
    const [rule] = compileRules(config, { secrets: new Map([['x', 'long-enough']]), authorities: new Map() });
    assert.deepEqual([rule?.permits('10.1.2.3'), rule?.permits('8.8.8.8')], [true, false]);
  });
});

describe('ranges of addresses', () => {
  test('T12: nothing that is special is public', () => {
    const special = [
      ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '100.100.100.200', '127.0.0.1', '168.63.129.16', '169.254.169.254'],
      ...[
        '172.31.0.1',
        '192.0.0.192',
        '192.0.2.1',
        '192.168.1.1',
        '198.18.0.1',
        '203.0.113.9',
        '224.0.0.1',
        '255.255.255.255',
      ],
      ...[
        '::',
        '::1',
        '::ffff:8.8.8.8',
        '::8.8.8.8',
        '64:ff9b::808:808',
        '64:ff9b:1::1',
        '100::1',
        '2001::1',
        '2001:db8::1',
      ],
      ...[
        '2002:7f00:1::',
        '3fff::1',
        '5f00::1',
        'fc00::1',
        'fd00:ec2::254',
        'fe80::1',
        'fe80::1%eth0',
        'fec0::1',
        'ff02::1',
      ],
      ...['', 'localhost', '127.1', '2606:4700::1%1'],
    ];
    for (const address of special) assert.equal(isPublicAddress(address), false, address);
    for (const address of ['8.8.8.8', '172.32.0.1', '192.0.1.1', '2606:4700::1111', '2001:4860:4860::8888']) {
      assert.equal(isPublicAddress(address), true, address);
    }
  });

  test('T12: an address written as IPv6 is none of a listed IPv4 range', () => {
    const list = addressRanges(['127.0.0.0/8', '::1']);
    assert.ok(isListedAddress('127.9.9.9', list) && isListedAddress('::1', list));
    assert.ok(!isListedAddress('::ffff:127.0.0.1', list) && !isListedAddress('128.0.0.1', list));
  });
});
