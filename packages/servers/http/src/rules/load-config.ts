import { badConfig, type ParsedText, type Problem, parseYaml } from '@capstan/config';
import type { CapstanError } from '@capstan/contracts';
import { isCollection, isMap, isPair, isScalar, visit } from 'yaml';
import type { z } from 'zod';
import { HttpConfig } from './http-config.ts';

const hint = 'The README of this server lists all keys.';

/** Reads the text of a configuration file, YAML or JSON. Throws `bad-config` with every problem at its line. */
export function loadConfig(text: string, file: string): HttpConfig {
  const parsed = parseYaml(text, file, 'the README of this server has');
  const twice = repeatedKeys(parsed);
  if (twice.length > 0) throw badConfig(twice);
  const result = HttpConfig.safeParse(parsed.top?.toJSON() ?? {});
  if (result.success) return result.data;
  throw badConfig(result.error.issues.map((issue) => problemOf(issue, parsed)));
}

/** A problem of the configuration that no line shows, such as a secret that is not there. */
export function configProblem(place: string, message: string): CapstanError {
  return badConfig([{ place, message, hint }]);
}

function repeatedKeys({ top, place }: ParsedText): Problem[] {
  const problems: Problem[] = [];
  if (top === undefined) return problems;
  visit(top, {
    Map(_, map) {
      const seen = new Set<unknown>();
      for (const { key } of map.items) {
        if (!isScalar(key)) continue;
        const message = `"${String(key.value)}" stands here twice`;
        if (seen.has(key.value)) problems.push({ place: place(key.range?.[0] ?? 0).text, message, hint });
        seen.add(key.value);
      }
    },
  });
  return problems;
}

function problemOf(issue: z.core.$ZodIssue, parsed: ParsedText): Problem {
  const path = issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : issue.path;
  const name = path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .slice(1);
  const message = issue.code === 'unrecognized_keys' ? 'there is no such key' : issue.message;
  return { place: parsed.place(offsetOf(path, parsed)).text, message: `${name || 'the file'}: ${message}`, hint };
}

/** Where the deepest part of a path stands that is in the file: of a key its name, of an item its start. */
function offsetOf(path: readonly PropertyKey[], { top }: ParsedText): number {
  let offset = top?.range[0] ?? 0;
  let node: unknown = top;
  for (const part of path) {
    const item: unknown = isMap(node)
      ? node.items.find(({ key }) => isScalar(key) && key.value === part)
      : isCollection(node)
        ? node.items[Number(part)]
        : undefined;
    const start = isPair(item) ? item.key : item;
    if (!isScalar(start) && !isCollection(start)) return offset;
    offset = start.range?.[0] ?? offset;
    node = isPair(item) ? item.value : item;
  }
  return offset;
}
