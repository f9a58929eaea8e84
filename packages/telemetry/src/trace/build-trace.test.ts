import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EventBody, RunStatus } from '@capstan/contracts';
import fc from 'fast-check';
import { buildTrace } from './build-trace.ts';
import { bodies, rowsOf } from './testing.ts';
import type { TraceNode } from './trace-node.ts';

const callId = fc.constantFrom('call-1', 'call-2', 'call-3');
const node = fc.constantFrom('understand', 'plan', 'execute', 'human', 'verify', 'reflect', 'done');
const status = fc.constantFrom<RunStatus>('done', 'unsolved', 'waiting', 'denied', 'failed');
const body: fc.Arbitrary<EventBody> = fc.oneof(
  fc.constantFrom('run-1', 'run-2').map(bodies.start),
  fc.integer({ min: 2, max: 5 }).map(bodies.resume),
  fc.tuple(node, fc.nat(9)).map(([name, step]) => bodies.enter(name, step)),
  fc.constantFrom(bodies.workspace, bodies.sandbox, bodies.plan, bodies.request, bodies.answer).map((make) => make()),
  fc.constantFrom(bodies.message, bodies.report, bodies.fail, bodies.verdict, bodies.diff).map((make) => make()),
  fc.constantFrom(bodies.apply, bodies.later).map((make) => make()),
  fc.constantFrom(bodies.progress, bodies.dependencies, bodies.checks).map((make) => make()),
  callId.map(bodies.call),
  callId.map(bodies.snapshot),
  fc
    .tuple(callId, fc.double({ min: -500, max: 5_000, noNaN: true }))
    .map(([id, duration]) => bodies.result(id, duration)),
  callId.map(bodies.ask),
  fc.tuple(callId, fc.boolean()).map(([id, approved]) => bodies.reply(id, approved)),
  callId.map(bodies.taint),
  fc.tuple(status, fc.constantFrom(undefined, 'stopped', 'denied')).map(([how, code]) => bodies.end(how, code)),
);
/** Events in any order, at times that also go back: worse than any log. */
const rows = fc.array(fc.tuple(fc.integer({ min: -2_000, max: 3_000 }), body), { maxLength: 60 }).map((entries) => {
  let at = 1_000_000;
  return rowsOf(
    ...entries.map(([step, made]) => {
      at += step;
      return [at, made] as const;
    }),
  );
});
const options = fc.record({ now: fc.integer({ min: 900_000, max: 1_200_000 }), isDriven: fc.boolean() });

function* every(part: TraceNode): Generator<TraceNode> {
  yield part;
  for (const child of part.children) yield* every(child);
}

test('every row belongs to exactly one part of the trace', () => {
  fc.assert(
    fc.property(rows, options, (log, reader) => {
      const shown = [...every(buildTrace(log, reader))].flatMap((part) => part.rows);
      assert.deepEqual(
        shown.toSorted((first, second) => first - second),
        log.map((row) => row.number),
      );
    }),
    { numRuns: 1_000 },
  );
});

test('parts lie within the part that holds them and do not overlap, and no time is negative', () => {
  fc.assert(
    fc.property(rows, options, (log, reader) => {
      for (const part of every(buildTrace(log, reader))) {
        assert.ok(part.durationMs >= 0 && part.durationMs === part.endMs - part.startMs);
        let from = part.startMs;
        for (const child of part.children) {
          assert.ok(child.startMs >= from, `${child.kind} begins before ${from}`);
          assert.ok(child.endMs <= part.endMs, `${child.kind} ends after its ${part.kind}`);
          from = child.endMs;
        }
      }
    }),
    { numRuns: 1_000 },
  );
});

test('work, waiting and idle time make up the duration of every part, and shares make up the whole', () => {
  fc.assert(
    fc.property(rows, options, (log, reader) => {
      const trace = buildTrace(log, reader);
      for (const part of every(trace)) {
        assert.equal(part.workMs + part.waitMs + part.idleMs, part.durationMs, part.kind);
        for (const time of [part.workMs, part.waitMs, part.idleMs]) assert.ok(time >= 0, part.kind);
        assert.ok(part.share >= 0 && part.share <= 1);
        if (part.kind === 'gap' || part.kind === 'approval') assert.equal(part.workMs, 0);
      }
      assert.equal(trace.share, trace.workMs > 0 ? 1 : 0);
      assert.ok([...every(trace)].filter((part) => part.slowest).length <= 3);
    }),
    { numRuns: 1_000 },
  );
});

/** One line a part: what it is, from when to when, and its state. */
function outline(trace: TraceNode): string[] {
  const lines = (part: TraceNode, depth: number): string[] => [
    `${'  '.repeat(depth)}${nameOf(part)} ${part.startMs}-${part.endMs} ${part.state}`,
    ...part.children.flatMap((child) => lines(child, depth + 1)),
  ];
  return lines(trace, 0);
}

function nameOf(part: TraceNode): string {
  if (part.kind === 'step') return part.continued ? `${part.node} again` : part.node;
  if (part.kind === 'gap') return `gap (${part.reason})`;
  return part.kind === 'life' ? `life ${part.life}` : part.kind;
}

test('a call counts from when it was made, not from when it was decided', () => {
  const trace = buildTrace(
    rowsOf(
      [0, bodies.start()],
      [10, bodies.enter('plan', 0)],
      [20, bodies.call('call-1')],
      [21, bodies.call('call-2')],
      [30, bodies.enter('execute', 1)],
      [130, bodies.result('call-1', 95)],
      [330, bodies.result('call-2', 190, true)],
      [340, bodies.end('done')],
    ),
  );
  assert.deepEqual(outline(trace), [
    'session 0-340 done',
    '  run 0-340 done',
    '    life 1 0-340 done',
    '      start 0-10 done',
    '      plan 10-30 done',
    '      execute 30-340 done',
    '        call 35-130 done',
    '        call 140-330 failed',
    '      end 340-340 done',
  ]);
});

test('S3: a process that died: its call was cut off, and the time until the next process is no work', () => {
  const trace = buildTrace(
    rowsOf(
      [0, bodies.start()],
      [0, bodies.enter('plan', 0)],
      [0, bodies.call('call-1')],
      [10, bodies.enter('execute', 1)],
      [50, bodies.taint('call-1')],
      [1_050, bodies.resume(2)],
      [1_100, bodies.result('call-1', 20)],
      [1_110, bodies.enter('done', 2)],
      [1_120, bodies.end('done')],
    ),
  );
  assert.deepEqual(outline(trace).slice(2), [
    '    life 1 0-50 cut-off',
    '      plan 0-10 done',
    '      execute 10-50 cut-off',
    '        taint 50-50 done',
    '        call 50-50 cut-off',
    '    gap (crash) 50-1050 waiting',
    '    life 2 1050-1120 done',
    '      execute again 1050-1110 done',
    '        call 1080-1100 done',
    '      done 1110-1120 done',
    '      end 1120-1120 done',
  ]);
  assert.deepEqual([trace.workMs, trace.idleMs, trace.waitMs], [120, 1_000, 0]);
});

const asked = [
  [0, bodies.start()],
  [0, bodies.enter('execute', 0)],
  [0, bodies.call('call-1')],
  [10, bodies.ask('call-1')],
  [11, bodies.enter('human', 1)],
] as const;

test('A12: waiting for a person at a prompt is told apart from work', () => {
  const trace = buildTrace(
    rowsOf(
      ...asked,
      [5_010, bodies.reply('call-1')],
      [5_020, bodies.enter('execute', 2)],
      [5_050, bodies.result('call-1', 25)],
      [5_060, bodies.end('done')],
    ),
  );
  assert.deepEqual([trace.workMs, trace.waitMs, trace.idleMs], [61, 4_999, 0]);
  const approval = [...every(trace)].find((part) => part.kind === 'approval');
  assert.deepEqual(approval?.kind === 'approval' && approval.answer, { approved: true, by: 'ada', waitedMs: 5_000 });
});

test('A12: an answer that came while no process ran ends the waiting; what follows is idle', () => {
  const trace = buildTrace(
    rowsOf(
      ...asked,
      [20, bodies.end('waiting', 'denied')],
      [5_020, bodies.reply('call-1', false)],
      [8_020, bodies.resume(2)],
      [8_030, bodies.enter('execute', 2)],
      [8_035, bodies.result('call-1', 3, true)],
      [8_040, bodies.end('denied')],
    ),
  );
  assert.deepEqual(outline(trace).slice(2), [
    '    life 1 0-20 waiting',
    '      execute 0-11 done',
    '        call 0-10 waiting',
    '      human 11-20 waiting',
    '        approval 11-20 waiting',
    '      end 20-20 waiting',
    '    gap (person) 20-5020 waiting',
    '    approval 5020-5020 failed',
    '    gap (idle) 5020-8020 waiting',
    '    life 2 8020-8040 failed',
    '      start 8020-8030 done',
    '      execute 8030-8040 done',
    '        call 8032-8035 failed',
    '      end 8040-8040 failed',
  ]);
  assert.deepEqual([trace.workMs, trace.waitMs, trace.idleMs], [31, 5_009, 3_000]);
});

test('a run that ended with a diff to be looked at waits for a person, and its steps are done', () => {
  const trace = buildTrace(
    rowsOf(
      [0, bodies.start()],
      [0, bodies.enter('done', 0)],
      [10, bodies.end('waiting', 'held-for-review')],
      [5_010, bodies.apply()],
    ),
  );
  assert.deepEqual(outline(trace).slice(2), [
    '    life 1 0-10 waiting',
    '      done 0-10 done',
    '      end 10-10 waiting',
    '    gap (person) 10-5010 waiting',
    '    apply 5010-5010 done',
  ]);
});

test('a run that goes on: what is being done lasts until now, and what has not begun is planned', () => {
  const log = rowsOf(
    [0, bodies.start()],
    [0, bodies.enter('plan', 0)],
    [5, bodies.call('call-1')],
    [6, bodies.call('call-2')],
    [10, bodies.enter('execute', 1)],
  );
  assert.deepEqual(outline(buildTrace(log, { now: 210, isDriven: true })).slice(2), [
    '    life 1 0-210 open',
    '      plan 0-10 done',
    '      execute 10-210 open',
    '        call 10-210 open',
    '        call 210-210 planned',
  ]);
  const left = outline(buildTrace(log, { now: 210 }));
  assert.deepEqual(left.at(-1), '    gap (crash) 10-210 waiting', 'nobody drives it any more');
});

test('a clock that is set back hides nothing that comes after it', () => {
  const trace = buildTrace(
    rowsOf(
      [100_000, bodies.start()],
      [101_000, bodies.enter('plan', 0)],
      [41_000, bodies.request()],
      [43_000, bodies.answer()],
      [44_000, bodies.end('done')],
    ),
  );
  assert.deepEqual(outline(trace).slice(3), [
    '      start 0-1000 done',
    '      plan 1000-4000 done',
    '        model 1000-3000 done',
    '      end 4000-4000 done',
  ]);
  assert.equal(trace.kind === 'session' && trace.clockWentBackMs, 60_000);
});

test('an apply days after the end takes no part in the time of the run', () => {
  const trace = buildTrace(
    rowsOf([0, bodies.start()], [10, bodies.enter('done', 0)], [20, bodies.end('done')], [86_400_020, bodies.apply()]),
  );
  assert.deepEqual(outline(trace).slice(-2), ['      end 20-20 done', '    apply 20-20 done']);
  const apply = trace.children[0]?.children.at(-1);
  assert.equal(apply?.kind === 'apply' && apply.laterMs, 86_400_000);
});

test('an empty log is an empty session', () => {
  assert.deepEqual(outline(buildTrace([])), ['session 0-0 done']);
});
