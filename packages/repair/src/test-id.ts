/** The id of a test: its file, then the names from suite to test. The same in all reports of this package. */
export function testId(file: string, names: readonly string[]): string {
  return [file, ...names].join(' > ');
}

/** Makes equal ids of one report differ, by their order: "a > b", "a > b #2". */
export function numberTwins<Test extends { readonly id: string }>(tests: readonly Test[]): Test[] {
  const seen = new Map<string, number>();
  return tests.map((test) => {
    const count = (seen.get(test.id) ?? 0) + 1;
    seen.set(test.id, count);
    return count === 1 ? test : { ...test, id: `${test.id} #${count}` };
  });
}
