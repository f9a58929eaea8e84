import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { checkTypedLint } from './check-typed-lint.ts';
import { plantTree } from './checks/planted-tree.ts';

const configuration = readFileSync(new URL('../.oxlintrc.json', import.meta.url), 'utf8');
const file = 'packages/one/src/a.ts';

function problemsOf(context: TestContext, text: string): string {
  const compilerOptions = {
    strict: true,
    target: 'es2024',
    lib: ['es2024', 'esnext.disposable'],
    module: 'nodenext',
    types: [],
    noEmit: true,
  };
  const root = plantTree(context, {
    '.oxlintrc.json': configuration,
    'package.json': { name: 'planted', type: 'module' },
    'tsconfig.json': { compilerOptions, include: ['packages/**/*.ts'] },
    [file]: text,
  });
  return checkTypedLint(root).join('\n');
}

test('ordinary code has no problems', (context) => {
  const text = 'const later = async (): Promise<number> => 1;\nexport const value = await later();\n';
  assert.equal(problemsOf(context, text), '');
});

const planted: Readonly<Record<string, string>> = {
  'no-floating-promises': 'const later = async (): Promise<void> => {};\nlater();\n',
  'no-misused-promises': 'const later = async (): Promise<boolean> => true;\nif (later()) throw new Error();\n',
  'await-thenable': 'export const value = await 1;\n',
  'switch-exhaustiveness-check': `export function f(kind: 'a' | 'b'): number {
    switch (kind) {
      case 'a':
        return 1;
    }
    return 2;
  }\n`,
  // The file would be closed before it is read.
  'return-await': `export async function f(open: () => AsyncDisposable & { read(): Promise<string> }): Promise<string> {
    await using file = open();
    return file.read();
  }\n`,
  'no-unsafe-assignment': "export const value: number = JSON.parse('1');\n",
  'no-base-to-string': 'export const f = (value: object): string => String(value);\n',
};

for (const [rule, text] of Object.entries(planted)) {
  test(`a planted violation of ${rule} is found`, (context) => {
    assert.match(problemsOf(context, text), new RegExp(`typescript\\(${rule}\\)`));
  });
}
