import { z } from 'zod';

export const Commit = z.strictObject({
  id: z.string(),
  parents: z.array(z.string()),
  author: z.string(),
  email: z.string(),
  date: z.string().describe('When it was written, ISO 8601'),
  refs: z.array(z.string()).describe('Branches and tags that point to it'),
  message: z.string(),
});
export type Commit = z.infer<typeof Commit>;

/** A NUL byte cannot be part of any of these. */
export const commitFormat = 'tformat:%H%x00%P%x00%an%x00%ae%x00%aI%x00%D%x00%B';
const fields = 7;
const longestMessage = 2000;

/** Reads what `git log -z` writes in `commitFormat` (pure). */
export function readCommits(output: Buffer): Commit[] {
  const values = output.toString('utf8').split('\0');
  const commits: Commit[] = [];
  for (let at = 0; at + fields <= values.length; at += fields) {
    const [id = '', parents = '', author = '', email = '', date = '', refs = '', message = ''] = values.slice(
      at,
      at + fields,
    );
    commits.push({
      id,
      parents: words(parents, ' '),
      author,
      email,
      date,
      refs: words(refs, ', '),
      message: cut(message),
    });
  }
  return commits;
}

export function showCommit({ id, author, date, refs, message, parents }: Commit): string {
  const names = refs.length === 0 ? '' : ` (${refs.join(', ')})`;
  const merge = parents.length > 1 ? `, merge of ${parents.map((parent) => parent.slice(0, 12)).join(' and ')}` : '';
  const [subject = '', ...body] = message.trimEnd().split('\n');
  const rest = body.filter((line, index) => index > 0 || line !== '').map((line) => `    ${line}`.trimEnd());
  return [`${id.slice(0, 12)} ${date.slice(0, 10)} ${author}${names}${merge}: ${subject}`, ...rest].join('\n');
}

function words(text: string, separator: string): string[] {
  return text === '' ? [] : text.split(separator);
}

function cut(message: string): string {
  const text = message.trimEnd();
  return text.length <= longestMessage ? text : `${text.slice(0, longestMessage).toWellFormed()}... (cut)`;
}
