import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallOutcome, Failure } from '@capstan/contracts';
import { toolNames } from '../declared-tools.ts';
import type { CallRecord } from '../run-log.ts';
import { nextRepairStep, type RepairHistory } from './next-repair-step.ts';

const label = { integrity: 'workspace', secrecy: 'public', origin: 'repair' } as const;
const edit = (newText: string) => [{ path: 'a.mjs', line: 1, oldText: 'a - b', newText }];

function made(name: string, args: Record<string, unknown>, structured: unknown, failure?: Failure): CallRecord {
  const result = { content: [], structured, isError: failure !== undefined, ...(failure ? { failure } : {}), label };
  const outcome: CallOutcome = { kind: 'result', callId: name, result };
  return { row: 1, call: { id: name, name, arguments: args, taint: 'clean' }, outcome };
}

const patch = (patchId: string, rank: number, newText: string) => ({ patchId, rank, group: 1, edits: edit(newText) });
const localised = made(toolNames.localiseFault, {}, { localisationId: 'l', failing: ['sum adds'], unstable: [] });
const proposed = made(toolNames.proposePatches, {}, { proposalId: 'p', count: 9 });
const validated = (exhausted: boolean, ...plausible: unknown[]) =>
  made(toolNames.validatePatch, { proposalId: 'p' }, { tried: 9, plausible, exhausted });
const history = (records: CallRecord[], tried: string[] = []): RepairHistory => ({
  checkId: 'npm:test',
  records,
  tried,
});
const stageOf = (records: CallRecord[], tried: string[] = []) => {
  const step = nextRepairStep(history(records, tried));
  return step.kind === 'call' ? step.stage : step.kind;
};

test('N1: localise, propose, validate in batches, apply, verify', () => {
  const best = patch('one', 1, 'a + b');
  const applied = made(toolNames.editFiles, { edits: best.edits }, {});
  assert.equal(stageOf([]), 'localise');
  assert.equal(stageOf([localised]), 'propose');
  assert.equal(stageOf([localised, proposed]), 'validate');
  assert.equal(stageOf([localised, proposed, validated(false)]), 'validate');
  const ready = [localised, proposed, validated(true, patch('two', 2, 'a * b'), best)];
  const step = nextRepairStep(history(ready));
  assert.ok(step.kind === 'call');
  assert.deepEqual([step.name, step.arguments], [toolNames.editFiles, { edits: best.edits }]);
  assert.equal(stageOf([...ready, applied]), 'verify');
});

test('N1: the next best patch follows one that did not pass, or could not be applied', () => {
  const ready = [localised, proposed, validated(true, patch('one', 1, 'a + b'), patch('two', 2, 'a * b'))];
  const applied = made(toolNames.editFiles, { edits: edit('a + b') }, {});
  const refused = made(
    toolNames.editFiles,
    { edits: edit('a + b') },
    {},
    { level: 'param', code: 'usage', message: 'no' },
  );
  for (const records of [
    [...ready, applied],
    [...ready, refused],
  ]) {
    const step = nextRepairStep(history(records, records.includes(applied) ? ['one'] : []));
    assert.deepEqual(step.kind === 'call' ? step.arguments : step, { edits: edit('a * b') });
  }
  assert.equal(stageOf([...ready, applied], ['one', 'two']), 'give-up');
});

test('N1: giving up says which suspected files were left out because they are protected', () => {
  const found = { localisationId: 'l', failing: ['t'], left: ['src/cart.js'] };
  const partly = made(toolNames.localiseFault, {}, found);
  const nothing = made(toolNames.proposePatches, {}, { proposalId: 'p', count: 0 });
  for (const records of [
    [partly, nothing],
    [partly, proposed, validated(true)],
  ]) {
    const step = nextRepairStep(history(records));
    assert.match(step.kind === 'give-up' ? step.failure.message : step.kind, /protects them: src\/cart\.js\.$/);
    assert.match(step.kind === 'give-up' ? (step.failure.hint ?? '') : '', /`protect`/);
  }
  const free = nextRepairStep(history([localised, proposed, validated(true)]));
  assert.doesNotMatch(free.kind === 'give-up' ? free.failure.message : free.kind, /protects/);
});

test('N1: validation has an end', () => {
  const batches = (count: number, ...plausible: unknown[]) => [
    localised,
    proposed,
    ...Array.from({ length: count }, () => validated(false, ...plausible)),
  ];
  assert.equal(stageOf(batches(4)), 'validate');
  assert.equal(stageOf(batches(5)), 'give-up');
  assert.equal(stageOf(batches(1, patch('one', 1, 'a + b'))), 'validate');
  assert.equal(stageOf(batches(2, patch('one', 1, 'a + b'))), 'apply');
});

test('N1: calls get the time that is left without what verifying takes', () => {
  const step = (leftMs: number, records: CallRecord[]) =>
    nextRepairStep({ ...history(records), time: { leftMs, reserveMs: 20_000 } });
  const budget = (leftMs: number, records: CallRecord[]) => {
    const next = step(leftMs, records);
    return next.kind === 'call' ? next.arguments.budgetMs : next.kind;
  };
  assert.equal(budget(900_000, []), undefined, 'time enough: the usual');
  assert.equal(budget(100_000, []), 80_000);
  assert.equal(budget(140_000, [localised, proposed]), undefined);
  assert.equal(budget(50_000, [localised, proposed]), 30_000);
});

test('N1: with plausible patches in hand, the last of the time is for applying and verifying one', () => {
  const found = [localised, proposed, validated(false, patch('one', 1, 'a + b'))];
  const at = (leftMs: number, records: CallRecord[]) =>
    nextRepairStep({ ...history(records), time: { leftMs, reserveMs: 20_000 } });
  const plenty = at(60_000, found);
  assert.equal(plenty.kind === 'call' ? plenty.stage : plenty.kind, 'validate');
  for (const leftMs of [22_000, 20_000, 5000, -1]) {
    const step = at(leftMs, found);
    assert.equal(step.kind === 'call' ? step.stage : step.kind, 'apply', `${leftMs} ms`);
  }
  const none = at(21_000, [localised, proposed, validated(false)]);
  assert.equal(none.kind === 'give-up' ? none.failure.code : none.kind, 'budget-spent');
  assert.match(none.kind === 'give-up' ? none.failure.message : '', /9 of 9 proposed patches were tried/);
});

test('N3: unstable tests end the run by their own code', () => {
  const shaky = made(toolNames.localiseFault, {}, { localisationId: 'l', failing: [], unstable: ['clock'] });
  const step = nextRepairStep(history([shaky]));
  assert.equal(step.kind === 'give-up' ? step.failure.code : step.kind, 'tests-unstable');
});

test('F7: a call without an outcome changes nothing', () => {
  const open = { ...proposed, outcome: undefined };
  assert.deepEqual(nextRepairStep(history([localised, open])), nextRepairStep(history([localised])));
});
