// Loaded with --import before a candidate: no tested code runs until the reporter holds the channel.
import { beforeEach } from 'node:test';
import { taken } from './report-channel.mjs';

const PATIENCE_MS = 5000;

// A root hook starts the harness, and with it the reporter, now rather than at the first test.
beforeEach(() => {});
await Promise.race([
  taken,
  new Promise((resolve) => {
    setTimeout(resolve, PATIENCE_MS).unref();
  }),
]);
