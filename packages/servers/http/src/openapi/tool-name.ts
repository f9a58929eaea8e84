import { toolName } from '@capstan/contracts';
import { sha256 } from '@capstan/workspace';

/** Agents see a tool under the name of its server too, in 64 characters together. */
const longest = 64 - toolName('http', '').length;

const digestLength = 8;

/** A name for the tool of an operation that no other one has: those taken, and too long ones, end in a digest. */
export function operationToolName(api: string, id: string, taken: ReadonlySet<string>): string {
  const words = id.replace(/[^A-Za-z0-9]+/gu, '_').replace(/^_+|_+$/gu, '');
  const plain = `${api}_${words}`;
  if (words !== '' && plain.length <= longest && !taken.has(plain)) return plain;
  return `${plain.slice(0, longest - digestLength - 1)}_${sha256(`${id} ${taken.size}`).slice(0, digestLength)}`;
}
