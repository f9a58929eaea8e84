import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { markExternal } from './mark-external.ts';

const nonce = '0123456789abcdef01234567';
const pieces = fc.constantFrom(
  ...[
    '<<',
    '<',
    '＜＜',
    '\n',
    ' ',
    '>>',
    'external-content',
    'end-external-content',
    'EXTERNAL-CONTENT',
    'external_content',
  ],
  ...['id=', nonce, nonce.slice(0, 12), '/', 'a', '忽略'],
);

test('G7: content cannot end its block or open another', () => {
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
      const marked = markExternal(parts.join(''), { nonce, source: 's__t', findings: [] });
      const markers = marked.match(/[<＜]{2}[^\n]{0,12}external[^\n]{0,4}content/giu) ?? [];
      assert.deepEqual(markers, ['<<external-content', '<<end-external-content']);
      assert.equal(marked.split(nonce).length, 3);
      assert.ok(marked.endsWith(`\n<<end-external-content id=${nonce}>>`));
    }),
    { numRuns: 2_000 },
  );
});

test('G7: other content stays as it was', () => {
  const text = 'a << b; if (x <= 1) external content 你好 <div>';
  assert.ok(markExternal(text, { nonce, source: 's__t', findings: [] }).includes(`\n${text}\n`));
});
