import type { FoundTest } from './found-test.ts';

const TEST_LINE = /^test (.+?)(?: - should panic)? \.\.\. (ok|FAILED|ignored)\b.*$/;
const TARGET = /^\s+(?:Running (?:unittests )?(\S+\.rs)(?: .*)?|Running .*|Doc-tests (\S+))$/;

interface Block {
  readonly tests: { readonly name: string; readonly status: FoundTest['status'] }[];
  readonly messages: Map<string, string>;
}

/**
 * Reads the text of `cargo test`: standard output has the tests in blocks, standard error the target of each block,
 * in the same order. Where the two do not match (it was cut), tests stand without their file.
 */
export function readCargo(stdout: string, stderr: string): FoundTest[] {
  const blocks = readBlocks(stdout);
  const targets = stderr.split('\n').flatMap((line) => {
    const match = TARGET.exec(line);
    return match === null ? [] : [match[1] ?? (match[2] === undefined ? undefined : `doc-tests ${match[2]}`)];
  });
  const matched = targets.length === blocks.length;
  return blocks.flatMap((block, index) =>
    block.tests.map((test) => ({
      file: matched ? targets[index] : undefined,
      path: readName(test.name),
      status: test.status,
      message: test.status === 'failed' ? block.messages.get(test.name) : undefined,
    })),
  );
}

function readBlocks(stdout: string): Block[] {
  const blocks: Block[] = [];
  let section: string | undefined;
  for (const line of stdout.split('\n')) {
    if (/^running \d+ tests?$/.test(line)) {
      blocks.push({ tests: [], messages: new Map() });
      section = undefined;
      continue;
    }
    const block = blocks.at(-1);
    if (block === undefined) continue;
    const heading = /^---- (.+) stdout ----$/.exec(line);
    const test = TEST_LINE.exec(line);
    if (heading !== null) section = heading[1];
    else if (/^(failures:|test result:)/.test(line)) section = undefined;
    else if (section !== undefined) block.messages.set(section, `${block.messages.get(section) ?? ''}${line}\n`);
    else if (test !== null) block.tests.push({ name: test[1] ?? '', status: statusOf(test[2]) });
  }
  return blocks;
}

/** Documentation tests are named after the line they stand on, which moves with every edit above it. */
function readName(name: string): string[] {
  const documented = / - (.*) \(line \d+\)/.exec(name);
  return documented === null ? name.split('::') : [name.slice(0, documented.index), documented[1] ?? ''];
}

function statusOf(word: string | undefined): FoundTest['status'] {
  return word === 'ok' ? 'passed' : word === 'ignored' ? 'skipped' : 'failed';
}
