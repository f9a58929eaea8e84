// First module of every process that run-guarded.mjs starts: `node guard.mjs MODULE ARGS...`.
import { Socket } from 'node:net';
import { pathToFileURL } from 'node:url';

const lifelineDescriptor = 3;
const graceMilliseconds = 3000;

/** The parent is gone: end in order, and after the grace period in any case. */
function parentEnded() {
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), graceMilliseconds).unref();
  process.kill(process.pid, 'SIGTERM');
}

const lifeline = new Socket({ fd: lifelineDescriptor });
// A reset means the same as an end of the stream: 'close' follows both.
lifeline.on('error', () => undefined);
lifeline.once('close', parentEnded);
lifeline.resume();
lifeline.unref();

process.argv.splice(1, 1);
await import(pathToFileURL(process.argv[1] ?? '').href);
