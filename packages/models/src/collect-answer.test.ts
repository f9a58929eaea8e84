import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { AnswerCollector, CutStreamError } from './collect-answer.ts';

const request = { messages: [], tools: [] };
const done = { content: '', response_metadata: { finish_reason: 'stop' } };

test('A8: arguments cut anywhere never become a call with other arguments', () => {
  const anyArguments = fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue(), { maxKeys: 4 });
  fc.assert(
    fc.property(anyArguments, fc.nat(), (value, cut) => {
      const whole = JSON.stringify(value);
      const collector = new AnswerCollector(request);
      const at = cut % (whole.length + 1);
      collector.add({ content: '', tool_call_chunks: [{ index: 0, id: 'a', name: 'tool', args: whole.slice(0, at) }] });
      collector.add(done);
      const { calls, malformed } = collector.end();
      if (at === whole.length) assert.deepEqual(calls[0]?.arguments, JSON.parse(whole));
      else if (at > 0) assert.deepEqual([calls.length, malformed.length], [0, 1]);
    }),
  );
});

test('A8: any split of the arguments gives the same call', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.nat(), { maxLength: 6 }), (value, cuts) => {
      const whole = JSON.stringify(value);
      const bounds = [0, ...cuts.map((cut) => cut % whole.length).sort((a, b) => a - b), whole.length];
      const collector = new AnswerCollector(request);
      collector.add({ content: '', tool_call_chunks: [{ index: 0, id: 'a', name: 'tool', args: '' }] });
      for (const [place, from] of bounds.slice(0, -1).entries()) {
        collector.add({ content: '', tool_call_chunks: [{ index: 0, args: whole.slice(from, bounds[place + 1]) }] });
      }
      collector.add(done);
      assert.deepEqual(collector.end().calls, [{ id: 'a', name: 'tool', arguments: JSON.parse(whole) }]);
    }),
  );
});

test('A8: calls that share an index, or have none, are kept apart by their ids', () => {
  for (const index of [0, undefined]) {
    const collector = new AnswerCollector(request);
    const at = index === undefined ? {} : { index };
    collector.add({ content: '', tool_call_chunks: [{ ...at, id: 'a', name: 'one', args: '{"x":' }] });
    collector.add({ content: '', tool_call_chunks: [{ ...at, args: '1}' }] });
    collector.add({ content: '', tool_call_chunks: [{ ...at, id: 'b', name: 'two', args: '{}' }] });
    collector.add(done);
    assert.deepEqual(collector.end().calls, [
      { id: 'a', name: 'one', arguments: { x: 1 } },
      { id: 'b', name: 'two', arguments: {} },
    ]);
  }
});

test('A8: without a reason to end there is no answer', () => {
  const collector = new AnswerCollector(request);
  collector.add({ content: 'half of' });
  assert.throws(() => collector.end(), CutStreamError);
});
