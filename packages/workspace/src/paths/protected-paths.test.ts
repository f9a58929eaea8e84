import assert from 'node:assert/strict';
import { test } from 'node:test';
import { protectedPaths } from './protected-paths.ts';

const matched: readonly (readonly [string, string, boolean])[] = [
  ['db/migrations/**', 'db/migrations/001.sql', true],
  ['db/migrations/**', 'db/migrations/deep/er.sql', true],
  ['db/migrations', 'db/migrations/001.sql', true],
  ['db/migrations/', 'db/migrations/001.sql', true],
  ['db/migrations', 'db/migrations-old/001.sql', false],
  ['db/migrations/**', 'other/db/migrations/001.sql', false],
  ['*.lock', 'yarn.lock', true],
  ['*.lock', 'packages/a/yarn.lock', true],
  ['*.lock', 'yarn.lock.txt', false],
  ['generated', 'src/generated/a.ts', true],
  ['{a,b}/*.ts', 'b/x.ts', true],
  ['数据/*', '数据/表.csv', true],
  ['DB/**', 'db/x', true],
  ['db/**', 'DB/X', true],
  ['db/**', './db//x', true],
  ['db/x.sql', 'db/x.sql.', true],
  ['src/a.ts', 'src/b.ts', false],
];

for (const [pattern, path, expected] of matched) {
  test(`T3: ${JSON.stringify(pattern)} ${expected ? 'protects' : 'leaves'} ${JSON.stringify(path)}`, () => {
    assert.equal(protectedPaths([pattern])(path), expected);
  });
}

test('no patterns protect nothing', () => assert.equal(protectedPaths([])('a'), false));
