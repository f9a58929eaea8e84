// The channel on which a candidate's own process reports its tests: takes what it needs while the process is still
// clean, so that tested code can neither forge results nor soften the assertions unseen.
import assert from 'node:assert';
import { closeSync, readFileSync, writeSync } from 'node:fs';
import * as testModule from 'node:test';

const SECRET_FD = 3;
const REPORT_FD = 4;

const secret = readFileSync(SECRET_FD, 'utf8').trim();
closeSync(SECRET_FD);
const stringify = JSON.stringify;
const keysOf = Object.getOwnPropertyNames;
const methodsOf = Object.getOwnPropertyDescriptor;
const watched = [assert, assert.strict, testModule.default];
const before = watched.map((object) => keysOf(object).map((key) => methodsOf(object, key)?.value));

function tampered() {
  for (let index = 0; index < watched.length; index += 1) {
    const keys = keysOf(watched[index]);
    const values = before[index];
    if (keys.length !== values.length) return true;
    for (let at = 0; at < keys.length; at += 1) {
      const value = methodsOf(watched[index], keys[at])?.value;
      if (value !== values[at] && !Number.isNaN(value)) return true;
    }
  }
  return false;
}

function send(value) {
  writeSync(REPORT_FD, `\n${secret} ${stringify(value)}\n`);
}

let handOver;
/** Settles once the reporter has the channel. */
export const taken = new Promise((resolve) => {
  handOver = () => {
    handOver = undefined;
    resolve();
    return { send, tampered };
  };
});

/** Hands the channel over once: to the reporter, which asks before any tested code is loaded. */
export function takeChannel() {
  if (handOver === undefined) throw new Error('the channel was taken already');
  return handOver();
}
