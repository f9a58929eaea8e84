import { decodeText, errorCode } from '@capstan/workspace';

/** Longer texts are not parsed: it would take a second. UTF-16 units. */
const longestParsed = 200_000;

/** What is wrong with a text, in one line; undefined when it parses. */
type Parse = (text: string) => Promise<string | undefined>;

/**
 * A warning when a file parsed before and does not now: the edit is made all the same, because only its author knows what
 * comes next. Undefined for what parses, did not parse before, is of another kind or too long. JSON, YAML, JavaScript and
 * TypeScript, known by the name.
 */
export async function checkSyntax(
  path: string,
  before: Uint8Array | undefined,
  after: Uint8Array | undefined,
): Promise<string | undefined> {
  const [language, parse] = parserOf(path) ?? [];
  const [old, now] = [textOf(before), textOf(after)];
  if (parse === undefined || old === undefined || now === undefined) return undefined;
  const problem = await parse(now);
  if (problem === undefined || (await parse(old)) !== undefined) return undefined;
  return `Warning: it was valid ${language} before and is not now: ${problem}`;
}

function textOf(bytes: Uint8Array | undefined): string | undefined {
  const text = bytes === undefined ? undefined : decodeText(bytes)?.text;
  return text !== undefined && text.length <= longestParsed ? text : undefined;
}

function parserOf(path: string): readonly [language: string, parse: Parse] | undefined {
  const ending = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  if (ending === 'json') return ['JSON', parseJson];
  if (/^ya?ml$/.test(ending)) return ['YAML', parseYaml];
  if (/^[cm]?js$/.test(ending)) return ['JavaScript', parseScript];
  return /^[cm]?ts$/.test(ending) ? ['TypeScript', parseScript] : undefined;
}

async function parseJson(text: string): Promise<string | undefined> {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return firstLine(error instanceof Error ? error.message : String(error));
  }
}

async function parseYaml(text: string): Promise<string | undefined> {
  const { parseAllDocuments } = await import('yaml');
  const documents = parseAllDocuments(text, { logLevel: 'silent' });
  const [error] = documents.flatMap((document) => document.errors);
  return error === undefined ? undefined : firstLine(error.message);
}

/**
 * By the parser that Node has built in: a native one would need `--allow-addons`, which undoes the permissions of this
 * process. It knows no JSX; of syntax that has no form without types it says so, after having parsed it.
 */
async function parseScript(text: string): Promise<string | undefined> {
  const { stripTypeScriptTypes } = await import('node:module');
  try {
    stripTypeScriptTypes(text);
    return undefined;
  } catch (error) {
    if (errorCode(error) === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX') return undefined;
    return firstLine(error instanceof Error ? error.message : String(error));
  }
}

function firstLine(message: string): string {
  return (message.split('\n')[0] ?? '').slice(0, 200);
}
