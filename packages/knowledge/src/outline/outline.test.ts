import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { outlineFile } from './outline-file.ts';
import { outlineLines } from './outline-lines.ts';

async function shown(path: string, text: string): Promise<string[]> {
  const outline = await outlineFile(path, text);
  return (outline?.symbols ?? []).map(({ line, depth, kind, name }) => `${line} ${depth} ${kind} ${name}`);
}

describe('outlineFile', () => {
  test('T11: TypeScript by its syntax tree: members, exports, and nothing from strings or comments', async () => {
    const text = `// class Ghost {}
export const limit = 3, other = 4;
export default class Store<T> {
  #rows = 0;
  async read(id: string): Promise<T> { function inner() {} return inner as never; }
}
interface Row { id: string; load(): void }
const text = "function ghost() {}";
namespace Deep { export function reach() {} }
`;
    assert.deepEqual(await shown('a.ts', text), [
      ...['2 0 const limit', '2 0 const other', '3 0 class Store', '4 1 property #rows', '5 1 method read'],
      ...['7 0 interface Row', '7 1 property id', '7 1 method load', '8 0 const text', '9 0 namespace Deep'],
      '9 1 function reach',
    ]);
    assert.equal((await outlineFile('a.ts', text))?.by, 'syntax tree');
  });

  test('T11: a module with syntax errors is read by its lines, and says so', async () => {
    const outline = await outlineFile('a.ts', 'export function kept() {\n  const = ;\n}\nclass Also {\n');
    assert.equal(outline?.by, 'line patterns');
    assert.deepEqual(
      outline?.symbols.map((symbol) => symbol.name),
      ['kept', 'Also'],
    );
  });

  const languages: [string, string, string[]][] = [
    [
      'a.py',
      'LIMIT = 3\nclass Store:\n    async def read(self):\n        x = 1\ndef 名字():\n',
      ['1 0 constant LIMIT', '2 0 class Store', '3 1 def read', '5 0 def 名字'],
    ],
    [
      'a.go',
      'type Store struct {\nfunc (s *Store) Read(id string) error {\nfunc main() {\n',
      ['1 0 type Store', '2 0 func Read', '3 0 func main'],
    ],
    [
      'a.rs',
      'pub(crate) async fn read() {\nimpl Display for Store {\n    fn fmt(&self) {}\nmacro_rules! check {\n',
      ['1 0 fn read', '2 0 impl Store', '3 1 fn fmt', '4 0 macro_rules! check'],
    ],
    [
      'A.java',
      'public final class Store {\n    private static int read(String id) {\n        return call(id);\n',
      ['1 0 class Store', '2 1 method read'],
    ],
    [
      'a.c',
      '#define LIMIT 3\nstatic int read_row(const char *id)\n{\n    return other(id);\n}\nint declared(int);\n',
      ['1 0 define LIMIT', '2 0 function read_row'],
    ],
    ['a.rb', 'module Shop\n  class Store\n    def self.read\n', ['1 0 module Shop', '2 1 class Store', '3 1 def read']],
    ['a.md', '## One\n```sh\n# no heading\n```\n### 二\n', ['1 0 heading One', '5 1 heading 二']],
    ['a.rst', 'Title\n=====\n\nText\nPart\n----\n', ['1 0 heading Title', '5 0 heading Part']],
    ['Makefile', 'all: build\nX := 1\n', ['1 0 target all']],
    [
      'a.sql',
      'CREATE TABLE IF NOT EXISTS room (id)\ncreate index by_id on room\n',
      ['1 0 TABLE room', '2 0 index by_id'],
    ],
  ];
  for (const [path, text, expected] of languages) {
    test(`T11: ${path} by line patterns`, async () => assert.deepEqual(await shown(path, text), expected));
  }

  test('T11: a kind of file without declarations has no outline', async () => {
    assert.equal(await outlineFile('a.txt', 'def x'), undefined);
  });

  test('T11: texts made to trip patterns come to an end', () => {
    for (const line of ['(', 'public ', ' ', 'a<', 'export ', 'x '.repeat(50)]) {
      for (const path of ['a.ts', 'a.java', 'a.c', 'a.rs', 'a.md'])
        outlineLines(path, `${line.repeat(2_000)}\n`.repeat(20));
    }
  });
});
