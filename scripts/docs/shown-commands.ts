/** The simple commands of a shell block, each as its words: comments, variables before a command and pipes are gone. */
export function shownCommands(block: string): string[][] {
  return block
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .flatMap((line) => commandsOfLine(line.replace(/^\s*\$ /, '')));
}

const word = /"(?:[^"\\]|\\.)*"|'[^']*'|&&|\|\|?|;|\d*>{1,2}&?\d*|[^\s"'|;&>]+|&/g;
const separators: ReadonlySet<string> = new Set(['&&', '||', '|', ';', '&']);

function commandsOfLine(line: string): string[][] {
  const words = withoutComment(line).match(word) ?? [];
  const commands: string[][] = [[]];
  for (const one of words) {
    if (separators.has(one)) commands.push([]);
    else commands.at(-1)?.push(one);
  }
  return commands.map(withoutSurroundings).filter((command) => command.length > 0);
}

function withoutComment(line: string): string {
  return line.replace(/(^|\s)#.*$/, '');
}

function withoutSurroundings(words: readonly string[]): string[] {
  const first = words.findIndex((one) => !/^\w+=/.test(one));
  const command = first < 0 ? [] : words.slice(first);
  const redirected = command.findIndex((one) => /^\d*>/.test(one));
  return (redirected < 0 ? command : command.slice(0, redirected)).map((one) => one.replace(/^(["'])(.*)\1$/s, '$2'));
}
