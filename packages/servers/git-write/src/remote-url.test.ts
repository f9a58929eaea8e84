import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkRemoteUrl, shownUrl } from './remote-url.ts';

const protocols = ['https', 'ssh'];

test('T3: a push goes over https and ssh, in the forms that git knows', () => {
  for (const url of [
    'https://example.org/a.git',
    'https://ann@example.org:8443/a',
    'ssh://git@example.org/a',
    'git@example.org:ann/a.git',
    'example.org:a',
    '[::1]:a',
  ]) {
    assert.equal(checkRemoteUrl(url, protocols), undefined, url);
  }
});

test('T3: helpers, options, files and plain protocols are refused', () => {
  for (const url of [
    ...['ext::sh -c x', 'ext::x', 'fd::3', 'transport::address', 'http://example.org/a', 'git://example.org/a'],
    ...['file:///a', '/a', '../a', './a:b', '-oProxyCommand=x', 'ssh://-oProxyCommand=x/a', '-x:a', 'host:-a', ''],
    ...['https://example.org/a\nb', 'ftp://x/y', 'EXT::x', 'host:'],
  ]) {
    const refused = checkRemoteUrl(url, protocols);
    assert.equal(refused?.failure.code, 'address-refused', url);
  }
});

test('T7: passwords in an address are not shown', () => {
  assert.equal(shownUrl('https://ann:hunter2@example.org/a'), 'https://example.org/a');
  assert.equal(shownUrl('git@example.org:a'), 'git@example.org:a');
});
