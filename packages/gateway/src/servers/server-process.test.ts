import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectClient } from './connect-client.ts';
import { ServerProcess } from './server-process.ts';

/** Answers every call with three steps of progress and the result, all in one piece. */
const hasty = `
const say = (...messages) => process.stdout.write(messages.map((one) => JSON.stringify({ jsonrpc: '2.0', ...one }) + '\\n').join(''));
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') {
    const serverInfo = { name: 'hasty', version: '1' };
    say({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo } });
  }
  if (method !== 'tools/call') return;
  const { progressToken } = params._meta;
  const step = (progress) => ({ method: 'notifications/progress', params: { progressToken, progress, message: 'step ' + progress } });
  say(step(1), step(2), step(3), { id, result: { content: [] } });
});
`;

test('T10: progress that comes in one piece with its result is not lost', async (t) => {
  const options = { command: process.execPath, args: ['-e', hasty], environment: {}, graceMilliseconds: 1000 };
  const server = new ServerProcess(options);
  t.after(() => server.close());
  const client = await connectClient(server, { era: 'legacy', milliseconds: 60_000, onListChanged: () => undefined });
  for (let round = 0; round < 20; round += 1) {
    const seen: string[] = [];
    const onProgress = (message: string) => void seen.push(message);
    await client.callTool({ tool: 'x', arguments: {}, callId: `call-${round}`, milliseconds: 60_000, onProgress });
    assert.deepEqual(seen, ['step 1', 'step 2', 'step 3']);
  }
});
