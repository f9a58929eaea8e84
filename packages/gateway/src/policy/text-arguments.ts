export interface TextArgument {
  /** Name of the nearest object member, e.g. "path" for `edits[0].path`. */
  readonly key: string;
  readonly value: string;
}

const maximumDepth = 20;

/** All strings in the arguments of a call, with the name that they stand under. */
export function textArguments(input: unknown, key = '', depth = 0): TextArgument[] {
  if (typeof input === 'string') return [{ key, value: input }];
  if (input === null || typeof input !== 'object' || depth > maximumDepth) return [];
  if (Array.isArray(input)) return input.flatMap((item) => textArguments(item, key, depth + 1));
  return Object.entries(input).flatMap(([name, member]) => textArguments(member, name, depth + 1));
}

/** Names under which free text is passed: never read as a path or as an address. */
export function isContentKey(key: string): boolean {
  return /^(content|contents|text|body|message|subject|title|description|prompt|query|pattern|search|replace(ment)?|before|after|old_?(text|string)|new_?(text|string)|diff|patch|source_?code|data|note|comment|summary|reason|正文|内容|标题|主题|备注|消息)$/iu.test(
    key,
  );
}
