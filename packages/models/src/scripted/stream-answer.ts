import type { ServerResponse } from 'node:http';
import { setImmediate as nextTick } from 'node:timers/promises';
import type { FaultKind } from './faults.ts';
import type { ScriptedAnswer, WireRequest } from './script.ts';

const pieceLength = 24;

/** The answer as the chunks of a chat completion stream: text and arguments in small pieces, then the reason, then usage. */
export function answerChunks(answer: ScriptedAnswer, request: WireRequest, fault?: FaultKind): unknown[] {
  const base = { id: 'chatcmpl-scripted', object: 'chat.completion.chunk', created: 0, model: request.model };
  const chunk = (delta: unknown, finish: string | null = null) => ({
    ...base,
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const turn = request.messages.filter((message) => message.role === 'assistant').length;
  const calls = (answer.calls ?? []).flatMap((call, index) => {
    const text = JSON.stringify(call.arguments);
    const sent = fault === 'malformed' ? text.slice(0, -1) : text;
    const first = {
      index,
      id: `call_${turn}_${index}`,
      type: 'function',
      function: { name: call.name, arguments: '' },
    };
    const rest = pieces(sent).map((piece) => ({ index, function: { arguments: piece } }));
    return [first, ...rest].map((part) => chunk({ tool_calls: [part] }));
  });
  const text = pieces(answer.text ?? '').map((piece) => chunk({ content: piece }));
  const end = chunk({}, calls.length > 0 ? 'tool_calls' : 'stop');
  const wantsUsage = request.stream_options?.include_usage === true && fault !== 'no-usage';
  const usage = wantsUsage ? [{ ...base, choices: [], usage: countUsage(answer, request) }] : [];
  return [chunk({ role: 'assistant', content: '' }), ...text, ...calls, end, ...usage];
}

/** Writes the chunks as server-sent events; `cut`, `end` and `hang` stop half-way. */
export async function writeChunks(
  response: ServerResponse,
  chunks: readonly unknown[],
  fault?: FaultKind,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  const spoiled = fault === 'cut' || fault === 'end' || fault === 'hang';
  const shown = spoiled ? chunks.slice(0, Math.max(2, Math.floor(chunks.length / 2))) : chunks;
  for (const chunk of shown) {
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    await nextTick();
  }
  if (fault === 'hang') return;
  if (fault === 'cut') response.destroy();
  else if (fault === 'end') response.end();
  else response.end('data: [DONE]\n\n');
}

function pieces(text: string): string[] {
  return Array.from({ length: Math.ceil(text.length / pieceLength) }, (_, index) =>
    text.slice(index * pieceLength, (index + 1) * pieceLength),
  );
}

/** Four bytes a token: a stand-in for a tokenizer that grows with what was really sent. */
function countUsage(answer: ScriptedAnswer, request: WireRequest) {
  const prompt = Math.ceil(Buffer.byteLength(JSON.stringify([request.messages, request.tools ?? []])) / 4);
  const completion = Math.ceil(Buffer.byteLength(JSON.stringify(answer)) / 4);
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}
