import type { Library } from './library.ts';

/** Libraries of different style: classic CommonJS and modern modules, texts, numbers, tables, parsers. None has dependencies. */
export const libraries: readonly Library[] = [
  {
    ...{ name: 'bytes', version: '3.1.2', file: 'index.js', format: 'commonjs' },
    calls: [
      ...['1kb', '1.5 MB', '-3gb', '12', 'x', '1tb', '0.5pb', '7 b'].map((text) => ({ of: 'parse', args: [text] })),
      ...[0, 1, 1023, 1024, 1_048_577, -2_000_000, 5e9, 7e12, 3e15].map((n) => ({ of: 'format', args: [n] })),
      { of: 'format', args: [1536, { decimalPlaces: 1, unitSeparator: ' ' }] },
      { of: 'format', args: [123_456_789, { thousandsSeparator: ',', unit: 'KB' }] },
      { of: 'format', args: [1024, { fixedDecimals: true }] },
      { of: '', args: ['2kb'] },
      { of: '', args: [2048] },
    ],
  },
  {
    ...{ name: 'ms', version: '2.1.3', file: 'index.js', format: 'commonjs' },
    calls: [
      ...['2 days', '1d', '10h', '2.5 hrs', '1m', '5s', '1y', '100', '-3 min', '1 week', 'x'].map((text) => ({
        of: '',
        args: [text],
      })),
      ...[500, 999, 1000, 60_000, 119_000, 3_600_000, 90_000_000, -3_600_000].flatMap((n) => [
        { of: '', args: [n] },
        { of: '', args: [n, { long: true }] },
      ]),
    ],
  },
  {
    ...{ name: 'minimist', version: '1.2.8', file: 'index.js', format: 'commonjs' },
    calls: [
      ['-a', 'beep', '-b', 'boop'],
      ['--no-color', '--size=3', 'rest'],
      ['-n5', '-abc', '--', '-x'],
      ['--a.b', '3', '--a.c=4'],
      ['-x', '0x1f', '--y=1e3', '7'],
      ['--list', 'a', '--list', 'b', '--flag'],
    ].flatMap((argv) => [
      { of: '', args: [argv] },
      { of: '', args: [argv, { boolean: ['flag', 'a'], string: ['x', 'size'], default: { d: 1 } }] },
      { of: '', args: [argv, { alias: { a: 'alpha', list: ['l'] }, stopEarly: true, '--': true }] },
    ]),
  },
  {
    ...{ name: '@mapbox/polyline', version: '1.2.1', file: 'src/polyline.js', format: 'commonjs' },
    calls: [
      ...['_p~iF~ps|U_ulLnnqC_mqNvxq`@', '??', '_ibE_seK_seK_seK', 'a~l~Fjk~uOwHJy@P'].flatMap((text) => [
        { of: 'decode', args: [text] },
        { of: 'decode', args: [text, 6] },
      ]),
      ...[
        [
          [38.5, -120.2],
          [40.7, -120.95],
        ],
        [[0, 0]],
        [
          [-1.5, 2.25],
          [3, 4],
          [-5, -6],
        ],
      ].flatMap((points) => [
        { of: 'encode', args: [points] },
        { of: 'encode', args: [points, 4] },
        { of: 'fromGeoJSON', args: [{ type: 'LineString', coordinates: points }] },
      ]),
      { of: 'toGeoJSON', args: ['_p~iF~ps|U_ulLnnqC'] },
    ],
  },
  {
    ...{ name: 'camelcase', version: '8.0.0', file: 'index.js', format: 'module' },
    calls: ['foo-bar', 'foo_bar', 'Foo-Bar', '--foo.bar', 'FOO', 'fooBar', '  a b ', 'XMLHttp', 'a1_b2'].flatMap(
      (text) => [
        { of: 'default', args: [text] },
        { of: 'default', args: [text, { pascalCase: true }] },
        { of: 'default', args: [text, { preserveConsecutiveUppercase: true }] },
        { of: 'default', args: [[text, 'x-y']] },
      ],
    ),
  },
  {
    ...{ name: 'range-parser', version: '1.2.1', file: 'index.js', format: 'commonjs' },
    calls: [
      'bytes=0-4',
      'bytes=-5',
      'bytes=10-',
      'bytes=0-4,90-99,5-75,100-199',
      'bytes=5-1',
      'items=0-0',
      'bytes',
    ].flatMap((header) => [
      { of: '', args: [150, header] },
      { of: '', args: [8, header] },
      { of: '', args: [200, header, { combine: true }] },
    ]),
  },
  {
    ...{ name: 'ini', version: '5.0.0', file: 'lib/ini.js', format: 'commonjs' },
    calls: [
      ...['a=1\nb = two\n', '[s]\nx=true\n[s.t]\ny[]=1\ny[]=2\n', '; c\nk="q;v"\n', 'a\nb=null\n', 'x=a\\;b ; c'].map(
        (text) => ({
          of: 'parse',
          args: [text],
        }),
      ),
      ...[
        { a: 1, b: 'x y' },
        { s: { t: { u: 'v' } }, l: ['a', 'b'] },
        { k: ';q', e: '' },
      ].flatMap((value) => [
        { of: 'stringify', args: [value] },
        { of: 'stringify', args: [value, { section: 'top', whitespace: true }] },
      ]),
      ...['plain', '"quoted"', ';x', ' y', 'a=b'].flatMap((text) => [
        { of: 'safe', args: [text] },
        { of: 'unsafe', args: [text] },
      ]),
    ],
  },
  {
    ...{ name: 'leven', version: '4.0.0', file: 'index.js', format: 'module' },
    calls: [
      ['a', 'b'],
      ['ab', 'ac'],
      ['kitten', 'sitting'],
      ['', 'abc'],
      ['same', 'same'],
      ['xabxcdxxefxgx', 'abcdefg'],
    ].map((args) => ({ of: 'default', args })),
  },
  {
    ...{ name: 'balanced-match', version: '1.0.2', file: 'index.js', format: 'commonjs' },
    calls: ['pre{in{nest}}post', '{{a}', 'no', '{b}}', 'x}{y}', '{}{z}'].flatMap((text) => [
      { of: '', args: ['{', '}', text] },
      { of: 'range', args: ['{', '}', text] },
    ]),
  },
  {
    ...{ name: 'pretty-bytes', version: '7.1.0', file: 'index.js', format: 'module' },
    calls: [0, 0.4, 1, 999, 1001, 1e6, 1_234_567, -7e9, 1e16].flatMap((n) => [
      { of: 'default', args: [n] },
      { of: 'default', args: [n, { bits: true, signed: true }] },
      { of: 'default', args: [n, { binary: true, space: false }] },
      { of: 'default', args: [n, { minimumFractionDigits: 1, maximumFractionDigits: 3 }] },
    ]),
  },
];
