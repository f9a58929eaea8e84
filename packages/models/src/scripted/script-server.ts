import { createHash } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { FaultKind } from './faults.ts';
import { type Script, ScriptedAnswer, WireRequest } from './script.ts';
import { answerChunks, writeChunks } from './stream-answer.ts';

/** An OpenAI-compatible endpoint whose answers come from a script. Appends one line per request to the ledger file. */
export function createScriptServer(options: { script: Script; ledger: string; faults: FaultKind[] }): Server {
  const faults = [...options.faults];
  let count = 0;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST' || !request.url?.endsWith('/chat/completions')) {
      sendError(response, 404, `there is no ${request.method} ${request.url}`);
      return;
    }
    const body = await readBody(request);
    const parsed = WireRequest.safeParse(JSON.parse(body));
    const fault = faults.shift();
    count += 1;
    record(options.ledger, count, body, parsed.data, fault);
    if (!parsed.success) sendError(response, 400, parsed.error.message);
    else if (fault === 'reset') response.destroy();
    else if (typeof fault === 'number') sendError(response, fault, `scripted fault ${fault}`);
    else await answer(options.script, parsed.data, response, fault);
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((thrown: unknown) => {
      if (!response.headersSent) sendError(response, 400, `the script failed: ${String(thrown)}`);
      else response.destroy();
    });
  });
  // A client that reuses a connection must never meet one that this side is just closing.
  server.keepAliveTimeout = 600_000;
  server.headersTimeout = 610_000;
  return server;
}

async function answer(
  script: Script,
  request: WireRequest,
  response: ServerResponse,
  fault: FaultKind | undefined,
): Promise<void> {
  const turn = request.messages.filter((message) => message.role === 'assistant').length;
  const { messages, tools = [] } = request;
  const scripted = ScriptedAnswer.parse(await script.next({ messages, tools, turn }));
  if (request.stream !== true) sendError(response, 400, 'this endpoint only streams');
  else await writeChunks(response, answerChunks(scripted, request, fault), fault);
}

function record(
  ledger: string,
  number: number,
  body: string,
  request: WireRequest | undefined,
  fault: FaultKind | undefined,
): void {
  const line = {
    number,
    digest: createHash('sha256').update(body).digest('hex'),
    bytes: Buffer.byteLength(body),
    turn: request?.messages.filter((message) => message.role === 'assistant').length,
    messages: request?.messages.length,
    tools: request?.tools?.length ?? 0,
    fault,
  };
  appendFileSync(ledger, `${JSON.stringify(line)}\n`);
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function sendError(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: { message, type: 'scripted', code: String(status) } }));
}
