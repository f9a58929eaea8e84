const test = /(^|[/_.-])(tests?|specs?|__tests__|testing|fixtures?|testdata|mocks?|snapshots?)([/_.-]|$)/i;
const record =
  /(^|\/)(changelog|changes|history|news|releases?)(\.[a-z]+)?$|(^|\/)(package-lock\.json|.*\.lock|.*\.min\.\w+|.*\.po)$/i;

/** Tests and what belongs to them, by the usual names. */
export function isTestPath(path: string): boolean {
  return test.test(path);
}

/** Records of changes and files that programs write: they repeat the words of others. */
export function isRecordPath(path: string): boolean {
  return record.test(path);
}
