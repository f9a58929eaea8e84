import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openServer } from './open-server.ts';

const readFile = async () => Promise.reject(new Error('not there'));
const environment = { SHORT: 'abc', LINES: 'first\nsecond', GOOD: 'long-enough' };

test('T12: a configuration with mistakes is refused with file and line, and no value of a secret is named', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'capstan-http-'));
  t.after(() => rm(folder, { recursive: true }));
  const file = join(folder, 'bad.yaml');
  const problem = async (text: string): Promise<string> => {
    await writeFile(file, text);
    const opened = openServer({ file, environment, readFile, resolve: async () => [] });
    const message = await opened.then(
      () => 'no problem',
      (thrown: Error) => thrown.message,
    );
    assert.doesNotMatch(message, /abc|first/u);
    return message.replaceAll(folder, '');
  };
  assert.equal(await problem('rules: [{host: a.example}]'), 'no problem');
  assert.equal(await problem('{"rules": [{"host": "a.example"}], "secrets": {"key": {"env": "GOOD"}}}'), 'no problem');
  assert.match(await problem('rules:\n  - host: "*.com"\n'), /^\/bad\.yaml:2:5: rules\[0\]\.host: has to be a host/);
  assert.match(await problem('rules: [\n'), /^\/bad\.yaml:2:1: this is no YAML/);
  assert.match(await problem('{"rules": [], "rules": []}'), /"rules" stands here twice/);
  assert.match(await problem('rules: []'), /has to name at least one host/);
  assert.match(await problem(''), /the file is empty/);
  for (const name of ['SHORT', 'LINES', 'ABSENT']) {
    const message = await problem(`secrets: {key: {env: ${name}}}\nrules: [{host: a.example}]`);
    assert.match(message, /^secrets\.key: the variable \w+ (?:holds|is not there)/);
  }
  assert.match(await problem('rules: [{host: a.example, authority: nothing.pem}]'), /nothing\.pem cannot be read/);
});

test('T12: a tool is offered only where a rule allows its methods', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'capstan-http-'));
  t.after(() => rm(folder, { recursive: true }));
  const file = join(folder, 'http.yaml');
  const names = async (methods: string) => {
    await writeFile(file, `rules: [{host: a.example, methods: ${methods}}]`);
    const { tools } = await openServer({
      file,
      environment,
      readFile,
      resolve: async () => [],
    });
    return tools.map(({ name }) => name);
  };
  assert.deepEqual(await names('[GET]'), ['fetch_url']);
  assert.deepEqual(await names('[POST]'), ['send_request']);
});
