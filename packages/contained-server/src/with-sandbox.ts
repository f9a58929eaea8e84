import { preflight } from '@capstan/sandbox';

/** A server's arguments with the sandbox that works on this machine, where they leave that open: `--sandbox auto`. */
export async function withSandbox(argv: readonly string[]): Promise<readonly string[]> {
  const isOpen = (word: string, index: number): boolean =>
    word === '--sandbox=auto' || (word === 'auto' && argv[index - 1] === '--sandbox');
  if (!argv.some(isOpen)) return argv;
  const searchPath = argv.find((_, index) => argv[index - 1] === '--search-path') ?? '/usr/bin:/bin';
  const { kind } = await preflight({ searchPath, node: process.execPath });
  return argv.map((word, index) => {
    if (!isOpen(word, index)) return word;
    return word === 'auto' ? kind : `--sandbox=${kind}`;
  });
}
