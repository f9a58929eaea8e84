import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import type { SessionOverview, SessionState } from '@capstan/orchestration';
import fc from 'fast-check';
import { ageText } from './age-text.ts';
import { displayWidth, fitEnd, fitStart } from './display-width.ts';
import { sessionLines } from './session-lines.ts';
import { sessionTable, shortId } from './session-table.ts';
import { createStyle } from './style.ts';

const overview = (
  more: { id?: string; task?: string; repository?: string; state?: SessionState } = {},
): SessionOverview => ({
  session: {
    sessionId: more.id ?? 'session-0123456789abcdef',
    repository: more.repository ?? '/home/somebody/projects/shop',
    workspace: '/nowhere/session',
    createdAt: 0,
    status: 'open',
  },
  state: more.state ?? 'done',
  task: more.task ?? 'make the failing tests pass\nand more',
  runs: [],
  files: ['a.ts'],
  verified: true,
  waiting: [],
  failure: undefined,
});

test('X1: the list shows the first line of a task, a short id, and no control characters', () => {
  const rows = [
    overview(),
    overview({ id: 'session-0123456fff', task: '修复\u001b[2J失败的测试', state: 'broken off' }),
  ];
  const options = {
    now: 5 * 60_000,
    style: createStyle(false),
    columns: undefined,
    ids: rows.map((row) => row.session.sessionId),
  };
  assert.deepEqual(sessionTable(rows, options), [
    'SESSION   AGE    STATE       FILES  CHECKOUT                      TASK',
    '01234567  5 min  done        1      /home/somebody/projects/shop  make the failing tests pass',
    '0123456f  5 min  broken off  1      /home/somebody/projects/shop  修复\\u{1b}[2J失败的测试',
  ]);
});

test('X1: no line of the list is wider than the terminal, whatever it shows, in colour too', () => {
  const text = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.constant('修复失败的测试'.repeat(8)));
  fc.assert(
    fc.property(
      fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 70, max: 200 }),
      (rows, columns) => {
        const overviews = rows.map(([task, repository], at) =>
          overview({ id: `session-${at}abcdef`, task, repository }),
        );
        const ids = overviews.map((row) => row.session.sessionId);
        const lines = sessionTable(overviews, { now: 0, style: createStyle(true), columns, ids });
        assert.equal(lines.length, rows.length + 1);
        for (const line of lines) assert.ok(displayWidth(stripVTControlCharacters(line)) <= columns, line);
      },
    ),
  );
});

test('X1: a short id is the beginning of one session only', () => {
  const ids = fc.uniqueArray(fc.stringMatching(/^[0-9a-f]{8}$/), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(ids, (hex) => {
      const all = hex.map((id) => `session-${id}`);
      for (const id of all) {
        const short = shortId(id, all);
        assert.deepEqual(
          all.filter((other) => other.startsWith(`session-${short}`)),
          [id],
        );
      }
    }),
  );
});

test('what is cut fits, and keeps its beginning or its end', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 30 }), (text, columns) => {
      for (const cut of [fitEnd(text, columns), fitStart(text, columns)]) assert.ok(displayWidth(cut) <= columns);
      if (displayWidth(text) <= columns) assert.equal(fitEnd(text, columns), text);
    }),
  );
  assert.equal(fitEnd('修复失败的测试', 7), '修复失…');
  assert.equal(fitStart('/home/somebody/shop', 8), '…dy/shop');
});

test('ages are told in their largest whole unit', () => {
  const hour = 3_600_000;
  const cases = [
    [0, 'now'],
    [59_999, 'now'],
    [60_000, '1 min'],
    [3 * hour, '3 h'],
    [50 * hour, '2 d'],
    [24 * 15 * hour, '2 wk'],
  ] as const;
  for (const [milliseconds, text] of cases) assert.equal(ageText(milliseconds), text);
});

test('X1: one session says where it stands, why, and what to do next, as the program was called', () => {
  const failure = { level: 'fatal', code: 'stopped', message: 'Stopped.', hint: 'Go on: capstan resume s' } as const;
  const options = { now: 0, style: createStyle(false), program: 'bin/capstan' };
  const lines = sessionLines({ ...overview({ state: 'stopped' }), failure }, options);
  assert.equal(lines[0], 'Session session-0123456789abcdef');
  assert.ok(lines.includes('  state      stopped'));
  assert.ok(lines.includes('             Go on: bin/capstan resume s'));
  assert.ok(lines.includes('             and more'), 'the whole task');
  assert.ok(lines.includes('  workspace  /nowhere/session (gone)'));
  assert.match(lines.at(-1) ?? '', /^ {2}bin\/capstan resume session-0123456789abcdef {3}\S/);
});
