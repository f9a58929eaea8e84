import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { applyEdit, type Edit } from './apply-edit.ts';
import { byteOrderMark, decodeText, type Encoding, encodeText } from './text-file.ts';

function fileOf(bytes: Uint8Array) {
  const file = decodeText(bytes);
  assert.ok(file);
  return file;
}

function edit(content: string | Buffer, change: Edit) {
  const result = applyEdit(fileOf(Buffer.from(content)), change, 'a.txt');
  return 'failure' in result
    ? { code: result.failure.code, message: result.failure.message }
    : { content: result.bytes.toString('latin1'), lines: result.lines, note: result.note };
}

describe('T3: exact edits', () => {
  test('replace the only match and say where', () => {
    const result = edit('a\nb\nc\n', { oldText: 'b', newText: 'B' });
    assert.deepEqual(result, { content: 'a\nB\nc\n', lines: [2], note: undefined });
  });

  test('an ambiguous match is refused with its lines; a line or a count chooses', () => {
    const text = 'x = 1\ny\nx = 1\n';
    assert.match(edit(text, { oldText: 'x = 1', newText: 'x = 2' }).message ?? '', /2 times.*line 1, 3/);
    assert.equal(edit(text, { oldText: 'x = 1', newText: 'x = 2', line: 3 }).content, 'x = 1\ny\nx = 2\n');
    assert.equal(edit(text, { oldText: 'x = 1', newText: 'x = 2', expectedCount: 2 }).content, 'x = 2\ny\nx = 2\n');
    assert.equal(edit(text, { oldText: 'x = 1', newText: 'x = 2', expectedCount: 3 }).code, 'ambiguous-match');
    assert.match(
      edit(text, { oldText: 'x = 1', newText: 'x = 2', line: 2 }).message ?? '',
      /not start on line 2.*1, 3/,
    );
    assert.equal(edit('aaa', { oldText: 'aa', newText: 'b', expectedCount: 2 }).code, 'ambiguous-match');
  });

  test('a miss shows the nearest text with line numbers', () => {
    const text = 'import a;\nfunction add(a, b) {\n  return a - b;\n}\n';
    const message = edit(text, { oldText: '  return a + b + c;', newText: '' }).message ?? '';
    assert.match(message, /does not occur/);
    assert.match(message, /3\| {3}return a - b;/);
    assert.match(edit('x\n', { oldText: 'completely other', newText: '' }).message ?? '', /Nothing in it is like it/);
  });

  test('an empty oldText fills an empty file only', () => {
    assert.equal(edit('', { oldText: '', newText: 'new\n' }).content, 'new\n');
    assert.equal(edit('a', { oldText: '', newText: 'new\n' }).code, 'bad-argument');
  });
});

describe('T3: white space folded on whole lines', () => {
  const text = 'class A {\n\tadd(a, b) {\n\t\treturn a - b;\n\t}\n}\n';

  test('takes the indentation of the file, and says so', () => {
    const change = {
      oldText: '  add(a, b) {\n    return a - b;\n  }',
      newText: '  add(a, b) {\n    // sum\n    return a + b;\n  }',
    };
    const result = edit(text, change);
    assert.equal(result.content, 'class A {\n\tadd(a, b) {\n\t\t// sum\n\t\treturn a + b;\n\t}\n}\n');
    assert.match(result.note ?? '', /white space folded/);
  });

  test('gives lines without any indentation that of the lines they replace', () => {
    const change = { oldText: 'add(a, b) {\nreturn a - b;\n}', newText: 'add(a, b) {\nreturn a + b;\n}' };
    assert.equal(edit(text, change).content, text.replace('a - b', 'a + b'));
  });

  test('is not tried for parts of lines, and refused where it is not unique', () => {
    assert.equal(edit(text, { oldText: 'return  a', newText: 'return b' }).code, 'no-match');
    assert.equal(edit(' a\n  a\n', { oldText: '\ta', newText: 'b' }).code, 'ambiguous-match');
    assert.equal(edit(' a\n  a\n', { oldText: '\ta', newText: '\tb', line: 2 }).content, ' a\n  b\n');
    assert.equal(edit('a\n\n\nb', { oldText: ' \n ', newText: 'c' }).code, 'no-match');
  });

  test('a last line without line end matches', () => {
    assert.equal(edit('a\nb', { oldText: 'b\n', newText: 'c\n' }).content, 'a\nc');
  });
});

describe('T3: bytes outside of the match stay', () => {
  test('CRLF and a byte order mark', () => {
    const result = edit('\ufeffa\r\nb\r\nc\r\n', { oldText: 'a\nb\n', newText: 'a\nx\ny\n' });
    assert.equal(result.content, Buffer.from('\ufeffa\r\nx\r\ny\r\nc\r\n').toString('latin1'));
  });

  test('mixed line ends keep theirs; an inserted one takes the next', () => {
    assert.equal(edit('a\r\nb\nc\r\n', { oldText: 'a\nb\nc', newText: 'a\nb\nX\nc' }).content, 'a\r\nb\nX\r\nc\r\n');
  });

  test('Latin-1', () => {
    const latin = Buffer.from('// caf\xe9 \xe8\nreturn 1;\n', 'latin1');
    assert.equal(edit(latin, { oldText: 'return 1', newText: 'return 2' }).content, '// caf\xe9 \xe8\nreturn 2;\n');
    assert.equal(edit(latin, { oldText: 'café', newText: 'thé' }).content, '// th\xe9 \xe8\nreturn 1;\n');
    assert.match(edit(latin, { oldText: '1', newText: '€' }).message ?? '', /encoded as latin1, which has no "€"/);
  });

  test('GBK', () => {
    const gbk = Buffer.from('// \xc4\xe3\xba\xc3\nx = 1\n', 'latin1');
    assert.equal(fileOf(gbk).text, '// 你好\nx = 1\n');
    assert.equal(edit(gbk, { oldText: '你好', newText: '你们好' }).content, '// \xc4\xe3\xc3\xc7\xba\xc3\nx = 1\n');
    assert.equal(edit(gbk, { oldText: 'x = 1', newText: 'x = 2' }).content, '// \xc4\xe3\xba\xc3\nx = 2\n');
    assert.equal(edit(gbk, { oldText: 'x = 1', newText: '😀' }).code, 'not-representable');
  });

  test('UTF-16, an odd last byte too', () => {
    for (const encoding of ['utf-16le', 'utf-16be'] as const) {
      const encode = (text: string) => Buffer.concat([byteOrderMark(encoding), encodeText(text, encoding) as Buffer]);
      const odd = Buffer.concat([encode('a\r\n你\r\n'), Buffer.of(7)]);
      const expected = Buffer.concat([encode('a\r\n好\r\n'), Buffer.of(7)]);
      assert.equal(edit(odd, { oldText: '你', newText: '好' }).content, expected.toString('latin1'));
    }
  });

  test('binary content is no text', () => assert.equal(decodeText(Buffer.from('a\0b')), undefined));
});

const encodings: Encoding[] = ['utf-8', 'utf-16le', 'utf-16be', 'gbk', 'latin1'];
const alphabets: Record<Encoding, string[]> = {
  'utf-8': ['a', ' ', '\n', '\r\n', '\t', 'é', '你', '😀', '\r'],
  'utf-16le': ['a', ' ', '\n', '\r\n', '\t', 'é', '你', '😀', '\ud800'],
  'utf-16be': ['a', ' ', '\n', '\r\n', '\t', 'é', '你', '😀', '\udc00'],
  gbk: ['a', ' ', '\n', '\r\n', '你', '好', '，', '们'],
  latin1: ['a', ' ', '\n', '\r\n', 'é ', 'ü ', 'x'],
};

interface Case {
  readonly encoding: Encoding;
  readonly bom: boolean;
  readonly before: string;
  readonly old: string;
  readonly after: string;
  readonly replacement: string;
}

const cases: fc.Arbitrary<Case> = fc.constantFrom(...encodings).chain((encoding) => {
  const text = fc.array(fc.constantFrom(...alphabets[encoding]), { maxLength: 12 }).map((parts) => parts.join(''));
  return fc.record({
    encoding: fc.constant(encoding),
    bom: fc.boolean().map((marked) => encoding.startsWith('utf-16') || (encoding === 'utf-8' && marked)),
    before: text,
    old: text.map((inner) => `<${inner}>`),
    after: text,
    replacement: text,
  });
});

function bytesOf(sample: Case, text: string): Buffer {
  const encoded = encodeText(text, sample.encoding);
  assert.ok(encoded instanceof Uint8Array);
  return sample.bom ? Buffer.concat([byteOrderMark(sample.encoding), encoded]) : encoded;
}

test('T3: whatever the encoding, bytes before and after the match are kept and nothing becomes U+FFFD', () => {
  fc.assert(
    fc.property(cases, (sample) => {
      const bytes = bytesOf(sample, sample.before + sample.old + sample.after);
      const result = applyEdit(fileOf(bytes), { oldText: sample.old, newText: sample.replacement }, 'a.txt');
      assert.ok(!('failure' in result), JSON.stringify(result));
      const head = bytesOf(sample, sample.before);
      const tail = bytesOf({ ...sample, bom: false }, sample.after);
      assert.deepEqual(result.bytes.subarray(0, head.length), head);
      assert.deepEqual(result.bytes.subarray(result.bytes.length - tail.length), tail);
      assert.equal(result.bytes.includes(Buffer.from('\ufffd')), false);
    }),
    { numRuns: 150 },
  );
});

test('T3: replacing text by itself changes no byte, and replacing back restores the file', () => {
  fc.assert(
    fc.property(cases, (sample) => {
      const bytes = bytesOf(sample, sample.before + sample.old + sample.after);
      const same = applyEdit(fileOf(bytes), { oldText: sample.old, newText: sample.old }, 'a.txt');
      assert.ok('bytes' in same);
      assert.deepEqual(same.bytes, bytes);
      const there = applyEdit(fileOf(bytes), { oldText: sample.old, newText: '[mark]' }, 'a.txt');
      assert.ok('bytes' in there);
      const mixed = /\r\n/.test(sample.before + sample.old + sample.after);
      const back = applyEdit(fileOf(there.bytes), { oldText: '[mark]', newText: sample.old }, 'a.txt');
      if (mixed || fileOf(there.bytes).encoding !== sample.encoding) return;
      assert.ok('bytes' in back);
      assert.deepEqual(back.bytes, bytes);
    }),
    { numRuns: 150 },
  );
});

const word = fc.constantFrom('a', 'b', 'if (x) {', '}', 'return 1;', '你好');
const space = fc.constantFrom('', ' ', '  ', '\t', ' \t ');
const line = fc.tuple(space, word, space, word, space).map(([before, first, between, second, after]) => {
  return `${before}${first}${between === '' ? ' ' : between}${second}${after}`;
});

test('T3: folded white space replaces the one run of whole lines that is meant, and no other byte', () => {
  const cases = fc.record({
    above: fc.array(line, { maxLength: 4 }),
    meant: fc.array(line, { minLength: 1, maxLength: 3 }),
    below: fc.array(line, { maxLength: 4 }),
    spaces: fc.array(space, { minLength: 3, maxLength: 3 }),
    lineEnd: fc.constantFrom('\n', '\r\n'),
  });
  fc.assert(
    fc.property(cases, ({ above, meant, below, spaces, lineEnd }) => {
      const lines = [...above, ...meant, ...below];
      const fold = (text: string) => text.trim().replace(/\s+/g, ' ');
      const wanted = meant.map((text, index) => `${spaces[index]}${fold(text)}`);
      const text = lines.map((each) => `${each}${lineEnd}`).join('');
      const places = lines.filter((_, at) => {
        return wanted.every((each, index) => fold(lines[at + index] ?? '\0') === fold(each));
      });
      const result = applyEdit(fileOf(Buffer.from(text)), { oldText: `${wanted.join('\n')}\n`, newText: 'NEW\n' }, 'a');
      if ('failure' in result) {
        // Only because there is more than one place; an exact one may be among them.
        assert.equal(result.failure.code, 'ambiguous-match');
        assert.ok(places.length > 1);
        return;
      }
      const made = result.bytes.toString().split(lineEnd);
      const at = made.findIndex((each) => each.endsWith('NEW'));
      const rest = [...made.slice(0, at), ...lines.slice(at, at + meant.length), ...made.slice(at + 1)];
      assert.deepEqual(rest, [...lines, '']);
      assert.deepEqual(lines.slice(at, at + meant.length).map(fold), wanted.map(fold));
    }),
    { numRuns: 300 },
  );
});

test('T3: a line that differs by one character is never taken, and is shown as the nearest text', () => {
  const cases = fc.record({
    lines: fc.uniqueArray(fc.stringMatching(/^[a-z]{12,20}$/), { minLength: 1, maxLength: 8 }),
    pick: fc.nat(),
    place: fc.nat(),
  });
  fc.assert(
    fc.property(cases, ({ lines, pick, place }) => {
      const meant = lines[pick % lines.length] ?? '';
      const at = place % meant.length;
      const oldText = `${meant.slice(0, at)}_${meant.slice(at + 1)}`;
      const result = applyEdit(fileOf(Buffer.from(lines.join('\n'))), { oldText, newText: 'x' }, 'a');
      assert.ok('failure' in result && result.failure.code === 'no-match');
      assert.ok(result.failure.message.includes(`${(pick % lines.length) + 1}| ${meant}`), result.failure.message);
    }),
    { numRuns: 200 },
  );
});

test('T3: mixed line ends: what is not replaced keeps its own', () => {
  const ended = fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('\n', '\r\n'));
  fc.assert(
    fc.property(fc.array(ended, { minLength: 1, maxLength: 8 }), fc.array(ended, { maxLength: 8 }), (above, below) => {
      const [head, tail] = [above, below].map((lines) => lines.map(([text, end]) => text + end).join(''));
      const file = fileOf(Buffer.from(`${head}unique\r\nend\n${tail}`));
      const result = applyEdit(file, { oldText: 'unique\nend\n', newText: 'one\ntwo\nthree\n' }, 'a');
      assert.ok('bytes' in result);
      const made = result.bytes.toString();
      assert.ok(made.startsWith(head ?? '') && made.endsWith(tail ?? ''));
      const middle = made.slice((head ?? '').length, made.length - (tail ?? '').length);
      assert.deepEqual(middle.replaceAll('\r\n', '\n'), 'one\ntwo\nthree\n');
    }),
    { numRuns: 200 },
  );
});
