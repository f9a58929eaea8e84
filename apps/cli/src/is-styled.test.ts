import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isStyled } from './is-styled.ts';

test('X1: colours only in a terminal that has them, and never with NO_COLOR', () => {
  assert.equal(isStyled({ TERM: 'xterm' }, true), true);
  assert.equal(isStyled({}, true), true);
  assert.equal(isStyled({ NO_COLOR: '' }, true), true, 'set to nothing counts as not set');
  assert.equal(isStyled({ TERM: 'xterm', NO_COLOR: '1' }, true), false);
  assert.equal(isStyled({ NO_COLOR: '0' }, true), false);
  assert.equal(isStyled({ TERM: 'dumb' }, true), false);
  assert.equal(isStyled({ TERM: 'xterm' }, false), false);
});
