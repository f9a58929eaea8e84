import assert from 'node:assert/strict';
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Resource } from '@modelcontextprotocol/client';
import fc from 'fast-check';
import { ReadServer } from '../testing/read-server.ts';
import { pathOfUri, uriOfPath } from './file-uri.ts';

for (const era of ['legacy', '2026-07-28'] as const) {
  describe(`files as resources, ${era}`, async () => {
    const server = await ReadServer.prepare(era);
    const { client, root, base } = server;
    const read = async (uri: string) => (await client.readResource({ uri })).contents[0];

    before(async () => {
      for (let index = 0; index < 450; index += 1) await server.put(`many/file-${index}.txt`, `${index}`);
      await server.put('docs/说明 50%?.md', '你好\r\n');
      await server.put('docs/wide.txt', Buffer.from('\ufeffwide', 'utf16le'));
      await server.put('pixel.bin', Buffer.from('\x89PNG\r\n\x1a\n\0\0', 'latin1'));
      await server.put('.env', 'SECRET=1');
      await server.put('.gitignore', 'out/\n');
      await server.put('out/built.js', '');
      await writeFile(join(base, 'outside.txt'), 'OUTSIDE');
      await symlink(join(base, 'outside.txt'), join(root, 'link-out'));
      await server.start();
    });
    after(() => server.end());

    async function listAll(): Promise<Resource[]> {
      const all: Resource[] = [];
      let cursor: string | undefined;
      do {
        const page = await client.listResources(cursor === undefined ? {} : { cursor });
        all.push(...page.resources);
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      return all;
    }

    test('T2: all pages together list each file once, without secrets, links and what git ignores', async () => {
      const names = (await listAll()).map((resource) => resource.name);
      assert.equal(names.length, 454);
      assert.equal(new Set(names).size, names.length);
      assert.equal(
        names.some((name) => /env|out\/|link/.test(name)),
        false,
      );
      const first = await client.listResources({ cursor: Buffer.from('many/file-99.txt').toString('base64url') });
      assert.equal(first.resources[0]?.name, 'many/file-99.txt');
      await assert.rejects(client.listResources({ cursor: '%%%' }), /cursor/i);
    });

    test('T2: a resource is read by its URI, as text in any encoding or as bytes', async () => {
      const { resourceTemplates } = await client.listResourceTemplates();
      assert.deepEqual(
        resourceTemplates.map((template) => template.uriTemplate),
        ['workspace:///{+path}'],
      );
      assert.deepEqual(await read(uriOfPath('docs/说明 50%?.md')), {
        uri: uriOfPath('docs/说明 50%?.md'),
        mimeType: 'text/markdown',
        text: '你好\r\n',
      });
      assert.equal(((await read('workspace:///docs/wide.txt')) as { text: string }).text, 'wide');
      assert.deepEqual(await read('workspace:///pixel.bin'), {
        uri: 'workspace:///pixel.bin',
        mimeType: 'image/png',
        blob: Buffer.from('\x89PNG\r\n\x1a\n\0\0', 'latin1').toString('base64'),
      });
    });

    test('T3: no URI leads out or to a secret', async () => {
      const refused = [
        ...[
          '.env',
          '../outside.txt',
          '%2e%2e/outside.txt',
          '..%2foutside.txt',
          'link-out',
          '.ENV',
          'docs%00',
          '%ff',
          '',
        ],
      ].map((path) => `workspace:///${path}`);
      for (const uri of [
        ...refused,
        'file:///etc/passwd',
        'workspace://docs/wide.txt',
        'nonsense',
        'workspace:///nothing',
      ]) {
        await assert.rejects(read(uri), (error: Error) => !error.message.includes(' at '), uri);
      }
    });

    test('T2: paths are completed', async () => {
      const complete = async (value: string) => {
        const ref = { type: 'ref/resource', uri: 'workspace:///{+path}' } as const;
        return (await client.complete({ ref, argument: { name: 'path', value } })).completion.values;
      };
      assert.deepEqual(await complete('d'), ['docs/']);
      assert.deepEqual(await complete('docs/w'), ['docs/wide.txt']);
      assert.deepEqual(await complete('.e'), []);
      assert.deepEqual(await complete('../'), []);
    });

    test('T2: a host that asked for it is told of a changed file and a changed list', async () => {
      const told: string[] = [];
      client.setNotificationHandler('notifications/resources/updated', ({ params }) => void told.push(params.uri));
      client.setNotificationHandler('notifications/resources/list_changed', () => void told.push('list'));
      const uri = 'workspace:///docs/wide.txt';
      if (era === 'legacy') await client.subscribeResource({ uri });
      else await client.listen({ resourceSubscriptions: [uri], resourcesListChanged: true });
      // The first look at the list comes after the start.
      await sleep(1500);
      await writeFile(join(root, 'docs/other.txt'), 'other');
      await writeFile(join(root, 'docs/new.tmp'), 'replaced');
      await rename(join(root, 'docs/new.tmp'), join(root, 'docs/wide.txt'));
      await untilTold(told, uri);
      await untilTold(told, 'list');
      told.length = 0;
      await mkdir(join(root, 'fresh'));
      await untilTold(told, undefined);
      await writeFile(join(root, 'fresh/one.txt'), '');
      await untilTold(told, 'list');
      await rm(join(root, 'docs/wide.txt'));
      await untilTold(told, uri);
    });
  });
}

/** Waits for a notification; for `undefined` as long as one would take. */
async function untilTold(told: readonly string[], what: string | undefined): Promise<void> {
  if (what === undefined) return sleep(1000);
  for (let tries = 0; tries < 150 && !told.includes(what); tries += 1) await sleep(100);
  assert.ok(told.includes(what), `told of ${told.join()} and not of ${what}`);
}

test('T2: every path has a URI and comes back from it', () => {
  const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter((text) => {
    return !/[\0/\\]/.test(text) && text !== '.' && text !== '..' && !/^([~]|[a-z]:)/i.test(text);
  });
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), (names) => {
      const path = names.join('/');
      assert.equal(pathOfUri(uriOfPath(path)), path);
      assert.ok(URL.canParse(uriOfPath(path)));
    }),
  );
});
