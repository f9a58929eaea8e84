import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CheckReport, Failure } from '@capstan/contracts';
import { testsThatNeedNetwork, withNetworkNeed } from './network-need.ts';

function report(...messages: (string | undefined)[]): CheckReport {
  const tests = messages.map((message, at) => ({
    id: `test ${at + 1}`,
    file: 'a.test.mjs',
    name: `${at + 1}`,
    status: 'failed' as const,
    ...(message === undefined ? {} : { message }),
  }));
  return {
    checkId: 'npm:test',
    outcome: 'failed',
    exitCode: 1,
    passed: 0,
    failed: tests.length,
    skipped: 0,
    tests,
    durationMs: 1,
  };
}

const failure: Failure = { level: 'fatal', code: 'unsolved', message: 'Nothing helped.', hint: 'Fix it by hand.' };

test('G8: tests that wanted the network are told from others, in the words of several runtimes', () => {
  const offline = [
    'fetch failed\n  caused by: getaddrinfo EAI_AGAIN example.com',
    'connect ENETUNREACH 192.0.2.1:80 - Local (0.0.0.0:0)',
    'urllib.error.URLError: <urlopen error [Errno -3] Temporary failure in name resolution>',
    'dial tcp: lookup example.com: no such host',
    'curl: (6) Could not resolve host: example.com',
  ];
  const others = ['-1 !== 5', 'connect ECONNREFUSED 127.0.0.1:5432', undefined];
  assert.equal(testsThatNeedNetwork([report(...offline)]).length, offline.length);
  assert.deepEqual(testsThatNeedNetwork([report(...others)]), []);
});

test('G8: the hint names the tests that need the network, and stays as it was when none does', () => {
  const offline = Array.from({ length: 5 }, () => 'getaddrinfo EAI_AGAIN example.com');
  assert.match(
    withNetworkNeed(failure, [report(...offline)]).hint ?? '',
    /no network.*test 1, test 2, test 3, and 2 more/,
  );
  assert.equal(withNetworkNeed(failure, [report('1 !== 2')]), failure);
});
