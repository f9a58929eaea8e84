import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseModel } from './choose-model.ts';

const found = [
  { name: 'qwen3-coder', url: 'http://127.0.0.1:11434/v1', shown: 'http://127.0.0.1:11434/v1', why: 'it answers' },
  { name: undefined, url: undefined, shown: 'https://api.openai.com/v1', why: 'OPENAI_API_KEY is set' },
];

function answering(...answers: string[]) {
  const questions: string[] = [];
  const ask = async (question: string) => {
    questions.push(question);
    return answers.shift();
  };
  return { questions, ask };
}

test('nothing, 1 and the end of input choose no model', async () => {
  for (const answers of [[''], ['1'], [], ['3', ''], ['3']]) {
    assert.equal(await chooseModel(found, answering(...answers).ask), undefined);
  }
});

test('a number chooses a model; one without a name is asked for it; what is no number is asked again', async () => {
  assert.deepEqual(await chooseModel(found, answering(' 2 ').ask), {
    name: 'qwen3-coder',
    url: 'http://127.0.0.1:11434/v1',
  });
  assert.deepEqual(await chooseModel(found, answering('3', ' gpt-5 ').ask), { name: 'gpt-5', url: undefined });
  const again = answering('yes', '9', '0', '2');
  assert.equal((await chooseModel(found, again.ask))?.name, 'qwen3-coder');
  assert.equal(again.questions.length, 4);
});
