import { setTimeout as delay } from 'node:timers/promises';
import type { ServerContext } from '@modelcontextprotocol/server';

/** A reader that gets the last notification and the result in one chunk drops the notification: keep them apart. */
const gapMs = 10;

/** Sends the progress notifications of one call, if its caller asked for any. */
export class ProgressSender {
  readonly #context: ServerContext;
  #sent = 0;

  constructor(context: ServerContext) {
    this.#context = context;
  }

  async send(message: string): Promise<void> {
    const { _meta: meta, signal, notify } = this.#context.mcpReq;
    const progressToken = meta?.progressToken;
    if (progressToken === undefined || signal.aborted) return;
    this.#sent += 1;
    await notify({ method: 'notifications/progress', params: { progressToken, progress: this.#sent, message } });
  }

  /** To be awaited before the result is sent; free for calls without progress. */
  async settle(): Promise<void> {
    if (this.#sent > 0) await delay(gapMs);
  }
}
