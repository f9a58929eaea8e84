import type { SeededRandom } from '../mutants/seeded-random.ts';

const frames: readonly string[] = [
  ...[
    '',
    ' ',
    'null',
    '1',
    '"text"',
    '[]',
    '{}',
    '{',
    '}',
    '{"jsonrpc":"2.0"',
    'Content-Length: 12',
    'GET / HTTP/1.1',
    '\u0000\u0001',
    '\ufeff{}',
  ],
  '{"jsonrpc":"1.0","id":"g","method":"tools/list"}',
  '{"jsonrpc":"2.0","id":null,"method":"tools/list"}',
  '{"jsonrpc":"2.0","id":{"a":1},"method":"tools/list"}',
  '{"jsonrpc":"2.0","id":"g"}',
  '{"jsonrpc":"2.0","id":"g","method":1}',
  '{"jsonrpc":"2.0","id":"g","method":"constructor"}',
  '{"jsonrpc":"2.0","id":"g","method":"tools/call"}',
  '{"jsonrpc":"2.0","id":"g","method":"tools/call","params":[]}',
  '{"jsonrpc":"2.0","id":"g","method":"tools/call","params":{"name":1}}',
  '{"jsonrpc":"2.0","id":"g","method":"tools/call","params":{"name":"__proto__","arguments":{}}}',
  '{"jsonrpc":"2.0","id":"g","method":"tools/call","params":{"name":"x","arguments":"text"}}',
  '{"jsonrpc":"2.0","id":"g","method":"tools/list","params":{"cursor":"nowhere"}}',
  '{"jsonrpc":"2.0","id":"g","method":"resources/read","params":{"uri":"file:///etc/passwd"}}',
  '{"jsonrpc":"2.0","id":"g","method":"prompts/get","params":{"name":"../x"}}',
  '{"jsonrpc":"2.0","id":"g","method":"initialize","params":{}}',
  '{"jsonrpc":"2.0","id":"g","result":{"tools":[]}}',
  '{"jsonrpc":"2.0","id":"g","error":{"code":"x"}}',
  '[{"jsonrpc":"2.0","id":"g","method":"ping"},{"jsonrpc":"2.0","method":"x"}]',
  '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"nobody"}}',
  '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}',
  '{"jsonrpc":"2.0","method":"notifications/nothing","params":{"a":1}}',
  `{"jsonrpc":"2.0","id":"g","method":"tools/call","params":{"name":"x","arguments":${'['.repeat(5000)}${']'.repeat(5000)}}}`,
  `{"jsonrpc":"2.0","id":"g","method":"${'m'.repeat(100_000)}"}`,
];

/** A line that is no proper request, or one for nothing; requests among them have the id "g". */
export function garbageFrame(random: SeededRandom): Uint8Array {
  if (random.below(8) > 0) return Buffer.from(random.pick(frames));
  const bytes = Buffer.from(Array.from({ length: 1 + random.below(200) }, () => random.below(256)));
  return bytes.map((byte) => (byte === 0x0a ? 0x20 : byte));
}
