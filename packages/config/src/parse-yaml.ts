import { type Document, isMap, LineCounter, type ParsedNode, parseDocument, visit, type YAMLMap } from 'yaml';
import { badConfig, type Problem } from './problem.ts';

export interface ParsedText {
  /** The keys and values of the file; undefined when it has comments only. */
  readonly top: YAMLMap.Parsed | undefined;
  /** `file:line:column` of a place in the text, and its numbers. */
  place(offset: number): { readonly text: string; readonly line: number; readonly column: number };
}

/**
 * Parses YAML without anything that means more than it says: no anchors, aliases, tags, directives or second documents.
 * Nothing is expanded. Throws `bad-config`; `source` says in hints who has a file to start from.
 */
export function parseYaml(text: string, file: string, source = 'capstan init writes'): ParsedText {
  const lines = new LineCounter();
  const place = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { text: `${file}:${line}:${col}`, line, column: col };
  };
  if (text.trim() === '') {
    const hint = `Remove it, or start it with a comment; ${source} one to start from.`;
    throw badConfig([{ place: `${file}:1:1`, message: 'the file is empty', hint }]);
  }
  // Equal keys are found while reading: here it would take time in the square of their number.
  const document = parseDocument(text, {
    lineCounter: lines,
    strict: true,
    uniqueKeys: false,
    version: '1.2',
    schema: 'core',
    prettyErrors: false,
    logLevel: 'error',
  });
  const problem = syntaxProblem(document) ?? specialProblem(document) ?? shapeProblem(document);
  if (problem !== undefined) {
    const hint = `Write plain keys and values; ${source} a file to start from.`;
    throw badConfig([{ place: place(problem.offset).text, message: problem.message, hint }]);
  }
  return { top: isMap(document.contents) ? document.contents : undefined, place };
}

/** For what the parser says in terms of itself. */
const ownWords: Readonly<Record<string, string>> = {
  RESOURCE_EXHAUSTION: 'it is nested too deeply',
  MULTIPLE_DOCS: 'a second document starts here, and one is taken',
};

type Found = Pick<Problem, 'message'> & { readonly offset: number };

function syntaxProblem({ errors, warnings, directives }: Document.Parsed): Found | undefined {
  const [error] = [...errors, ...warnings];
  if (error !== undefined) {
    return { offset: error.pos[0], message: ownWords[error.code] ?? sentence(error.message) };
  }
  return directives?.yaml.explicit ? { offset: 0, message: 'a %YAML line is not taken here' } : undefined;
}

function sentence(message: string): string {
  return `this is no YAML: ${message.charAt(0).toLowerCase()}${message.slice(1)}`;
}

function specialProblem(document: Document.Parsed): Found | undefined {
  let found: Found | undefined;
  visit(document, {
    Alias(_, node) {
      found = { offset: node.range?.[0] ?? 0, message: `*${node.source} is an alias, which is not taken here` };
      return visit.BREAK;
    },
    Value(_, node) {
      const what = node.anchor !== undefined ? `&${node.anchor} is an anchor` : node.tag && `${node.tag} is a tag`;
      if (what === undefined || what === '') return undefined;
      found = { offset: node.range?.[0] ?? 0, message: `${what}, which is not taken here` };
      return visit.BREAK;
    },
  });
  return found;
}

function shapeProblem({ contents }: Document.Parsed): Found | undefined {
  if (contents === null || isMap(contents) || isNothing(contents)) return undefined;
  return { offset: contents.range[0], message: 'keys with values were expected, such as "approvals: strict"' };
}

/** A document that says `null`, or nothing between its markers. */
function isNothing(node: ParsedNode): boolean {
  return 'value' in node && node.value === null;
}
