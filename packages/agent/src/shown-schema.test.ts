import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shownSchema } from './shown-schema.ts';

test('A7: a model is shown names, types and descriptions, and no limits', () => {
  const file = { type: 'object', properties: { path: { type: 'string', maxLength: 9, description: 'e.g. "a"' } } };
  const schema = {
    type: 'object',
    properties: { files: { type: 'array', maxItems: 20, items: { ...file, additionalProperties: false } } },
    required: ['files'],
    additionalProperties: false,
  };
  assert.deepEqual(shownSchema(schema), {
    type: 'object',
    properties: {
      files: {
        type: 'array',
        items: { type: 'object', properties: { path: { type: 'string', description: 'e.g. "a"' } } },
      },
    },
    required: ['files'],
  });
});

test('A7: parameters that are called like a keyword are shown, and choices stay', () => {
  const pattern = { type: 'string', pattern: '^a' };
  const schema = { type: 'object', properties: { pattern, default: { enum: ['minimum'] }, one: { anyOf: [pattern] } } };
  assert.deepEqual(shownSchema(schema), {
    type: 'object',
    properties: { pattern: { type: 'string' }, default: { enum: ['minimum'] }, one: { anyOf: [{ type: 'string' }] } },
  });
});
