// A model that claims success and touches nothing.
export function next() {
  return { text: 'I fixed the bug in src/interval.js and ran the tests. All tests pass now.' };
}
