import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemorySaver } from '@langchain/langgraph-checkpoint';
import { Annotation, driveThread, END, interrupt, START, StateGraph } from './langgraph.ts';

interface State {
  read: string;
  delete: string;
}

/** Two nodes side by side, each with its own question. */
function twoQuestions() {
  const ask = (name: keyof State) => async () => ({ [name]: interrupt<string, string>(name) });
  return new StateGraph(Annotation.Root({ read: Annotation<string>(), delete: Annotation<string>() }))
    .addNode('asks-read', ask('read'))
    .addNode('asks-delete', ask('delete'))
    .addEdge(START, 'asks-read')
    .addEdge(START, 'asks-delete')
    .addEdge('asks-read', END)
    .addEdge('asks-delete', END)
    .compile({ checkpointer: new MemorySaver() });
}

test('A12: of two pending questions only the one that was answered goes on, in either order', async () => {
  for (const first of ['read', 'delete'] as const) {
    const graph = twoQuestions();
    const answers: Partial<State> = {};
    const drive = () =>
      driveThread<State, keyof State>({
        graph,
        threadId: 'thread',
        recursionLimit: 10,
        initial: { read: '', delete: '' },
        decide: async (question) => answers[question],
      });
    const asked = await drive();
    assert.ok(asked.kind === 'waiting');
    assert.deepEqual(asked.interrupts.map(({ question }) => question).sort(), ['delete', 'read']);
    assert.deepEqual(await drive(), asked, 'without an answer nothing moves');

    const second = first === 'read' ? 'delete' : 'read';
    answers[first] = `yes to ${first}`;
    const half = await drive();
    assert.ok(half.kind === 'waiting');
    assert.deepEqual(
      half.interrupts.map(({ question }) => question),
      [second],
    );

    answers[second] = `no to ${second}`;
    const whole = await drive();
    assert.deepEqual(whole, { kind: 'ended', state: { [first]: `yes to ${first}`, [second]: `no to ${second}` } });
    assert.deepEqual(await drive(), whole, 'an ended thread stays as it is');
  }
});
