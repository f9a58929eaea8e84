/** Whether an argument is there; what comes after `--` is text. */
export function hasFlag(args: readonly string[], flag: string): boolean {
  const end = args.indexOf('--');
  return (end < 0 ? args : args.slice(0, end)).includes(flag);
}
