import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { EventBody, type EventRow } from '@capstan/contracts';
import { buildTrace } from '@capstan/telemetry';
import { displayWidth } from '../display-width.ts';
import { createStyle } from '../style.ts';
import { traceLines } from './trace-lines.ts';
import { tracePage } from './trace-page.ts';

const folder = join(import.meta.dirname, 'golden');

/**
 * What the real program wrote when a model repaired the example with a yes for every write: each process ended at its
 * question and was resumed, one was killed in the middle of a test run, and the diff was applied. Ids and folders were
 * replaced, the times moved as a whole, and long texts cut.
 */
const rows = readFileSync(join(folder, 'approved-run.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as EventRow);
const trace = buildTrace(rows, { now: 1_700_000_900_000 });
const plain = createStyle(false);

/** UPDATE_GOLDEN=1 writes the file, so that the change shows in git. */
function golden(name: string, text: string): string {
  const file = join(folder, name);
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(file, text);
  return readFileSync(file, 'utf8');
}

test('the recorded log still is one that this version reads', () => {
  for (const row of rows) assert.deepEqual(EventBody.parse(row.body), row.body);
});

test('X1: the tree of a recorded run as lines', () => {
  const lines = traceLines(trace, plain, 'capstan', 120);
  assert.deepEqual(
    lines,
    golden('approved-run.txt', `${lines.join('\n')}\n`)
      .trimEnd()
      .split('\n'),
  );
});

test('X1: the tree of a recorded run as JSON', () => {
  assert.deepEqual(JSON.parse(JSON.stringify(trace)), JSON.parse(golden('approved-run.json', JSON.stringify(trace))));
});

test('lines are as wide as the terminal, Chinese included, and a narrow one still shows the figures', () => {
  for (const width of [60, 80, 100, 200]) {
    for (const line of traceLines(trace, plain, 'capstan', width)) assert.ok(displayWidth(line) <= width, line);
  }
  const narrow = traceLines(trace, plain, 'capstan', 20);
  assert.ok(narrow.every((line) => displayWidth(line) <= 60));
});

test('colours change no character', () => {
  const coloured = traceLines(trace, createStyle(true), 'capstan', 100).join('\n');
  const stripped = stripVTControlCharacters(coloured);
  assert.equal(stripped, traceLines(trace, plain, 'capstan', 100).join('\n'));
  assert.notEqual(coloured, stripped);
});

test('the page needs nothing from outside, and has every part', () => {
  const page = tracePage(trace, 'capstan');
  assert.doesNotMatch(page, /<script|<link|<img|<iframe|<object|\bsrc=|\bhref=|url\(|@import|\son\w+=/i);
  assert.match(page, /content="default-src 'none'; style-src 'unsafe-inline'/);
  const count = (part: typeof trace): number => 1 + part.children.reduce((sum, child) => sum + count(child), 0);
  // The session and its only run are the head of the page.
  assert.equal(page.match(/class="row (?!head)/g)?.length, count(trace) - 2);
  assert.ok((page.match(/<details open>/g)?.length ?? 0) > 10);
});
