import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { startScriptedModel } from '@capstan/models';
import { sumRepository } from '../faults/sum-repository.ts';
import { exampleScenario, filesScenario, type Scenario } from './support/checkouts.ts';
import { inTerminal, needsTerminal } from './support/in-terminal.ts';
import { needsSandbox } from './support/needs-sandbox.ts';
import { type Finished, installation, lastEvent, runCapstan } from './support/run-capstan.ts';

const task = 'make the failing tests pass';

interface Question {
  readonly sessionId: string;
  readonly callId: string;
  readonly tool: string;
}

async function waiting(scenario: Scenario): Promise<Question[]> {
  const listed = await runCapstan(['approve', '--json'], { home: scenario.home });
  assert.equal(listed.exitCode, 0, listed.stderr);
  return (JSON.parse(listed.stdout) as { waiting: Question[] }).waiting;
}

/** The same without starting a process. */
function waitingNow(scenario: Scenario): Question[] {
  const rows = rowsOf(scenario, "SELECT * FROM approvals WHERE status = 'waiting'");
  return rows.map((row) => ({
    sessionId: String(row.session_id),
    callId: String(row.call_id),
    tool: String(row.tool),
  }));
}

/** Starts a run that asks for everything and ends at its first question, because nobody can be asked. */
async function endsAtQuestion(scenario: Scenario, ...args: string[]): Promise<{ session: string; call: string }> {
  const run = await runCapstan(['run', '--repo', scenario.checkout, '--strict', '--json', ...args, task], {
    home: scenario.home,
  });
  assert.equal(run.exitCode, 3, run.stderr);
  const [question] = await waiting(scenario);
  assert.ok(question);
  return { session: question.sessionId, call: question.callId };
}

function rowsOf(scenario: Scenario, sql: string): Record<string, unknown>[] {
  const database = new DatabaseSync(join(scenario.home, 'state', 'capstan.db'), { readOnly: true, timeout: 20_000 });
  try {
    return database.prepare(sql).all();
  } finally {
    database.close();
  }
}

test(
  'A12: a run that waits at its own prompt goes on when it is answered from another terminal',
  needsTerminal,
  async (t) => {
    const scenario = filesScenario(t, sumRepository(0));
    const run = inTerminal(t, scenario, ['run', '--repo', scenario.checkout, '--strict', task], { USER: 'ada' });
    await run.sees('Allow this one call?');
    let answers = 0;
    while (run.child.exitCode === null) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      const [question] = waitingNow(scenario);
      if (question === undefined) continue;
      const { sessionId, callId } = question;
      const args = ['approve', sessionId, callId];
      const approved = await runCapstan(args, { home: scenario.home, environment: { USER: 'bob' } });
      assert.equal(approved.exitCode, 0, approved.stderr + run.text());
      assert.match(approved.stdout, /The run goes on in its own process\./);
      answers += 1;
    }
    assert.equal(await run.ends(), 0, run.text());
    assert.ok(answers >= 4, `${answers} questions`);
    assert.equal(run.text().split('approval   given by bob').length - 1, answers);
    const allowed = rowsOf(scenario, "SELECT * FROM audit WHERE kind = 'decision' AND decision = 'allowed'");
    const named = allowed.filter((row) => row.approved_by !== null);
    assert.equal(named.length, answers, 'G11: the audit says who approved');
    assert.ok(named.every((row) => row.approved_by === 'bob' && row.actor === 'ada'));
  },
);

test('A12: a no from another terminal ends the wait too', needsTerminal, async (t) => {
  const scenario = filesScenario(t, sumRepository(0));
  const run = inTerminal(t, scenario, ['run', '--repo', scenario.checkout, '--strict', task]);
  await run.sees('Allow this one call?');
  const [question] = await waiting(scenario);
  assert.ok(question);
  const denied = await runCapstan(['approve', question.sessionId, question.callId, '--deny', '--json'], {
    home: scenario.home,
  });
  assert.equal(denied.exitCode, 0, denied.stderr);
  const said = JSON.parse(denied.stdout) as { goesOn: boolean; answers: { status: string; decidedBy: string }[] };
  assert.deepEqual([said.goesOn, said.answers[0]?.status, said.answers[0]?.decidedBy], [true, 'denied', 'tester']);
  assert.equal(await run.ends(), 3, run.text());
  assert.match(run.text(), /approval {3}refused by tester/);
});

test(
  'A12: answered in a terminal, with --resume the session goes on there; Ctrl-C at a question stops it',
  needsTerminal,
  async (t) => {
    const scenario = filesScenario(t, sumRepository(0));
    const { session } = await endsAtQuestion(scenario);
    const terminal = inTerminal(t, scenario, ['approve', session, '--resume'], { USER: 'ada' });
    await terminal.sees('Allow this one call?');
    assert.match(terminal.text(), /no model and no content had a part/, 'says who asks');
    terminal.type('y\r');
    await terminal.sees('Approved: ');
    await terminal.sees('Allow this one call?', 2);
    terminal.type('\u0003');
    assert.equal(await terminal.ends(), 3, terminal.text());
    assert.match(terminal.text(), /Stopped/);
    assert.equal((await waiting(scenario)).length, 1, 'the second question waits on');
  },
);

test(
  'A12: a model run whose process has ended at each question is approved and resumed to its end',
  needsSandbox,
  async (t) => {
    const scenario = exampleScenario(t);
    const model = await startScriptedModel({
      script: join(installation, 'tests', 'scenarios', 'scripts', 'fix-two-files.mjs'),
      ledger: join(scenario.base, 'requests.jsonl'),
    });
    t.after(() => model.stop());
    const environment = { OPENAI_BASE_URL: model.url };
    const command = (...args: string[]) => runCapstan(args, { home: scenario.home, environment });
    const run = await command('run', '--repo', scenario.checkout, '--strict', '--model', 'scripted', '--json', task);
    assert.equal(run.exitCode, 3, run.stderr);
    const { hint } = lastEvent(run, 'run-end').failure as { hint: string };
    assert.match(hint, /approve session-\S+ --resume/);
    const session = String(lastEvent(run, 'run-end').sessionId);
    const nobody = await command('approve', session);
    assert.equal(nobody.exitCode, 2, 'without a terminal the call has to be named');
    let last: Finished = nobody;
    const tools: string[] = [];
    for (let [question] = waitingNow(scenario); question !== undefined; [question] = waitingNow(scenario)) {
      tools.push(question.tool);
      const { callId } = question;
      last = await command('approve', session, callId.slice(callId.indexOf(':') + 1), '--resume');
      if (question.tool === 'fs-write__edit_files') {
        assert.match(last.stdout, /a model; what it has read may have had a part/);
        assert.match(last.stdout, /\n\+ {2}return first\.start < second\.end/, 'the diff is shown');
      }
    }
    assert.equal(last.exitCode, 0, last.stdout.slice(-3000) + last.stderr);
    assert.match(last.stdout, /^Done/m);
    assert.ok(tools.includes('fs-write__edit_files') && tools.filter((tool) => tool === 'exec__run_check').length >= 2);
    assert.equal(model.requests().length, 5, 'no turn was asked for twice');
    const done = await command('approve', session, '--json');
    assert.deepEqual([done.exitCode, JSON.parse(done.stdout)], [0, { waiting: [] }]);
  },
);

test('A12: of two answers at once one counts, and the other person is told whose', needsSandbox, async (t) => {
  const scenario = filesScenario(t, sumRepository(0));
  const { session, call } = await endsAtQuestion(scenario);
  const answer = (user: string, ...flags: string[]) =>
    runCapstan(['approve', session, call, ...flags], { home: scenario.home, environment: { USER: user } });
  const [ada, bob] = await Promise.all([answer('ada'), answer('bob', '--deny')]);
  const winner = ada.exitCode === 0 ? 'ada' : 'bob';
  const loser = winner === 'ada' ? bob : ada;
  assert.deepEqual(new Set([ada.exitCode, bob.exitCode]), new Set([0, 3]));
  assert.match(loser.stderr, winner === 'ada' ? /it was approved by ada/ : /it was refused by bob/);
  const unknown = await answer('eve', '--json');
  assert.equal((JSON.parse(unknown.stdout) as { code: string }).code, 'approval-closed');
  const never = await runCapstan(['approve', session, '7:7', '--json'], { home: scenario.home });
  assert.deepEqual([never.exitCode, (JSON.parse(never.stdout) as { code: string }).code], [2, 'unknown-approval']);
});

test(
  'A12: a question that nobody answers in time counts as refused, for approve and for resume',
  needsSandbox,
  async (t) => {
    const scenario = filesScenario(t, sumRepository(0));
    const { session, call } = await endsAtQuestion(scenario);
    const database = new DatabaseSync(join(scenario.home, 'state', 'capstan.db'));
    database.prepare('UPDATE approvals SET expires_at = requested_at + 1').run();
    database.close();
    const late = await runCapstan(['approve', session, call], { home: scenario.home });
    assert.equal(late.exitCode, 3);
    assert.match(late.stderr, /nobody answered in time.*counts as refused/);
    assert.deepEqual(await waiting(scenario), []);
    const resumed = await runCapstan(['resume', '--json', session], { home: scenario.home });
    assert.equal(resumed.exitCode, 3, resumed.stderr);
    assert.equal(lastEvent(resumed, 'run-end').status, 'denied');
    const { approved, by } = lastEvent(resumed, 'approval-answer');
    assert.deepEqual([approved, by], [false, 'nobody, in time']);
  },
);
