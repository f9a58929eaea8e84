import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createValueRedactor } from '@capstan/telemetry';
import fc from 'fast-check';
import { hideSecrets } from './hide-secrets.ts';
import { htmlToText } from './html-to-text.ts';
import { readContent } from './read-content.ts';
import { sliceText } from './slice-text.ts';

const url = new URL('https://docs.example.com/guide/');

function read(bytes: Buffer | string, contentType: string, source = false) {
  const content = readContent({ bytes: Buffer.from(bytes), contentType, url, source });
  return { text: '', charset: '', ...content };
}

describe('readContent', () => {
  test('T12: text is read by its mark, its header, its own word, or what it looks like', () => {
    const gbk = Buffer.from('c4e3bac3cac0bde7', 'hex');
    assert.equal(read(gbk, 'text/plain; charset=GBK').text, '你好世界');
    assert.equal(read(gbk, 'text/plain').text, '你好世界');
    const page = Buffer.concat([Buffer.from('<meta charset="gb2312"><p>'), gbk]);
    assert.equal(read(page, 'text/html').text, '你好世界');
    assert.equal(read(Buffer.from('\ufeff你好', 'utf16le'), 'text/plain; charset=utf-8').text, '你好');
    assert.equal(read(Buffer.from('8365835883678367', 'hex'), 'text/plain; charset=Shift_JIS').text, 'テストト');
    assert.equal(read(Buffer.from('caf\xe9', 'latin1'), 'text/plain').text, 'café');
    assert.equal(read(Buffer.from('caf\xe9', 'latin1'), 'application/octet-stream').kind, 'binary');
    assert.equal(read('a\0b', 'text/plain').kind, 'binary');
    assert.equal(read('plain', 'text/plain; charset=no-such').text, 'plain');
    assert.equal(read('', 'text/html').kind, 'empty');
    assert.equal(read('%PDF-1.7', 'application/pdf').kind, 'binary');
  });

  test('T12: JSON stays as it is, pages become text, and their source can be asked for', () => {
    assert.deepEqual(
      { ...read('{"id": 12345678901234567890}', 'application/problem+json') },
      {
        kind: 'json',
        text: '{"id": 12345678901234567890}',
        charset: 'utf-8',
        replaced: 0,
      },
    );
    assert.equal(read('{"broken', 'application/json').kind, 'text');
    assert.equal(read('<p>Hello', 'text/html').text, 'Hello');
    assert.equal(read('<p>Hello', 'text/html', true).text, '<p>Hello');
  });
});

describe('htmlToText', () => {
  test('G7: what people do not see is dropped and counted', () => {
    const hidden = [
      ...[
        '<p hidden>X</p>',
        '<p style="display : NONE">X</p>',
        '<p style="dis/**/play:none">X</p>',
        '<p aria-hidden=true>X</p>',
      ],
      ...['<p style="font-size:0px">X</p>', '<p style="color:#FFF">X</p>', '<p style="color:red;background:red">X</p>'],
      ...[
        '<p style="position:absolute;left:-9999px">X</p>',
        '<p style="opacity:0">X</p>',
        '<p style="visibility:hidden">X</p>',
      ],
      ...['<div style="display:none"><p>X<p>X</div>', '<dialog>X</dialog>'],
    ];
    const page = `<!-- X --><title>T</title><script>X</script><style>X</style><template>X</template>${hidden.join('')}<p>seen<!--X--><noscript>X</noscript>`;
    assert.deepEqual(htmlToText(page, url), { title: 'T', text: 'seen', hiddenElements: hidden.length, comments: 2 });
    const shown = [
      '<p style="color:white;background:black">a</p>',
      '<p style="opacity:0.5">b</p>',
      '<p style="margin:0">c</p>',
    ];
    assert.equal(htmlToText(shown.join(''), url).text, 'a\nb\nc');
  });

  test('headings, lists, tables, links, images and code are kept readable', () => {
    const page = `<h1>Title</h1><p>One  <b>bold</b>\n word, <a href="../a?b=1">a link</a>.<br>Next</p>
      <ul><li>first<li>second <em>x</em></ul><table><tr><th>k<th>v<tr><td>1<td>2</table>
      <pre>  two\n    spaces</pre><img alt="a cat"><a href="javascript:x">no link</a>`;
    assert.equal(
      htmlToText(page, url).text,
      [
        '# Title',
        'One bold word, [a link](https://docs.example.com/a?b=1).',
        'Next',
        '- first',
        '- second x',
        'k | v |',
        '1 | 2 |',
        '  two',
        '    spaces',
        '[image: a cat]no link',
      ].join('\n'),
    );
  });

  test('any markup ends in time, however deep it is', () => {
    const deep = [
      '<div>',
      '<b>',
      '<table><tr><td>',
      '<a href=x>',
      '<span><p>',
      '<svg><g>',
      '<!--',
      '<p style="/*/*/*/*">',
    ];
    for (const part of deep) htmlToText(`${part.repeat(5000)}end`, url);
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom(...deep, '</p>', '</div>', '</table>', '&#0;', '\0'), fc.string())),
        (parts) => {
          assert.equal(typeof htmlToText(parts.join(''), url).text, 'string');
        },
      ),
    );
  });
});

test('T7: slices put together are the text, each fits, and none has half a character', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'é', '你', '😀', '\n'), maxLength: 60 });
  fc.assert(
    fc.property(text, fc.integer({ min: 4, max: 20 }), (whole, most) => {
      let joined = '';
      for (let next: number | undefined = 0; next !== undefined; ) {
        const slice = sliceText(whole, next, most);
        assert.ok(Buffer.byteLength(slice.text) <= most && slice.text.isWellFormed());
        joined += slice.text;
        next = slice.next;
      }
      assert.equal(joined, whole);
    }),
  );
});

test('T12: a secret is hidden too where its letters are written as numbers or escaped', () => {
  const redact = createValueRedactor(['a/b&c-horse']);
  const written = (write: (code: number) => string) =>
    [...'a/b&c-horse'].map((letter) => write(letter.charCodeAt(0))).join('');
  const forms = [
    ...[
      'a/b&c-horse',
      'a\\/b&c-horse',
      'a/b&amp;c-horse',
      written((code) => `&#${code};`),
      written((code) => `&#x${code.toString(16)};`),
    ],
    ...[written((code) => `\\u00${code.toString(16)}`), written((code) => `\\x${code.toString(16)}`)],
  ];
  for (const form of forms) assert.equal(hideSecrets(`{"echo": "${form}"}`, redact), '{"echo": "***"}', form);
  const other = '{"a": "\\u4f60 &amp; \\/ &#1114112;"}';
  assert.equal(hideSecrets(other, redact), other);
});
