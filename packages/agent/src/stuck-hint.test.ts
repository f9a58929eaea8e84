import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stuckHint } from './stuck-hint.ts';

test('T8: whoever works without a model is not told to use a larger one', () => {
  assert.match(stuckHint('model'), /larger model/);
  assert.doesNotMatch(stuckHint('repair'), /larger/);
  assert.match(stuckHint('repair'), /configure a chat model/);
});
