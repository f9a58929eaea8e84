/**
 * How the declarations of a language begin. The named groups of the pattern are `name`, `kind` and `indent`. Every repetition
 * is bounded: it takes time in proportion to the text, whatever that is.
 */
export interface LinePattern {
  readonly pattern: RegExp;
  /** For lines that do not say it themselves. */
  readonly kind: string;
}

const indent = '^(?<indent>[ \\t]{0,40})';
const name = '(?<name>[\\p{L}_$][\\p{L}\\p{N}_$]{0,99})';

/** One expression of all alternatives: a text is gone through once. */
function language(kind: string, ...alternatives: readonly string[]): LinePattern {
  return { kind, pattern: new RegExp(alternatives.join('|'), 'gmu') };
}

/** Variables count at the top of a file alone. */
const scriptKinds =
  '(?<kind>function|class|interface|enum|namespace|(?<=^(?:export[ \\t]{1,9})?(?:declare[ \\t]{1,9})?)(?:const|let|var|type))';
const scriptMethod = `(?:(?:public|private|protected|static|async|get|set|readonly|override)[ \\t]+){0,4}(?!if\\b|for\\b|while\\b|switch\\b|catch\\b|function\\b|return\\b|with\\b)${name}\\([^\\n]{0,160}\\{[ \\t]*$`;
const script = language(
  'method',
  `${indent}(?=[\\p{L}_$])(?:(?:export[ \\t]+)?(?:default[ \\t]+)?(?:declare[ \\t]+)?(?:abstract[ \\t]+)?(?:async[ \\t]+)?${scriptKinds}(?:[ \\t]*\\*)?[ \\t]+${name}|${scriptMethod})`,
);

const python = language(
  'constant',
  `${indent}(?:async[ \\t]+)?(?<kind>def|class)[ \\t]+${name}`,
  '^(?<name>[A-Z][A-Z0-9_]{2,80})[ \\t]*(?::[^=\\n]{0,80})?=(?!=)',
);

const go = language(
  'symbol',
  `^(?<kind>func)[ \\t]+(?:\\([^)\\n]{0,120}\\)[ \\t]*)?${name}`,
  `^(?<kind>type|var|const)[ \\t]+${name}`,
);

const rust = language(
  'symbol',
  `${indent}(?:pub(?:\\([^)\\n]{0,40}\\))?[ \\t]+)?(?:(?:default|async|unsafe|const|extern(?:[ \\t]+"[^"\\n]{0,20}")?)[ \\t]+){0,4}(?<kind>fn|struct|enum|trait|type|mod|union|static|const)[ \\t]+(?:mut[ \\t]+)?${name}`,
  `^(?<kind>macro_rules!)[ \\t]*${name}`,
  `^(?<kind>impl)(?:<[^\\n]{0,80}?>)?[ \\t]+(?:[\\w:<>, ']{1,80}[ \\t]+for[ \\t]+)?${name}`,
);

const modifiers =
  '(?:(?:public|private|protected|internal|static|final|abstract|sealed|open|override|virtual|async|data|inline|suspend|partial|synchronized|native|default|implicit|case|lazy|export|readonly|unsafe)[ \\t]+)';

const java = language(
  'method',
  `${indent}${modifiers}{0,6}(?<kind>class|interface|enum|record|object|trait|struct|protocol|extension|actor|namespace|fun|func|def|@interface)[ \\t]+${name}`,
  `${indent}${modifiers}{1,6}(?:<[^>\\n]{0,80}>[ \\t]*)?[\\w.<>\\[\\],?]{1,80}[ \\t]+${name}[ \\t]*\\([^\\n;]{0,200}$`,
);

const c = language(
  'function',
  `^(?:typedef[ \\t]+)?(?<kind>struct|enum|union|class|namespace)[ \\t]+${name}[ \\t]*(?:[:{]|$)`,
  `^#[ \\t]*(?<kind>define)[ \\t]+${name}`,
  '^(?!return\\b|else\\b|typedef\\b|if\\b|while\\b|for\\b|switch\\b)[A-Za-z_][\\w :<>,*&]{0,120}[ *&](?<name>(?:\\w{1,60}::){0,3}~?[A-Za-z_]\\w{0,80})[ \\t]*\\([^;\\n]{0,200}$',
);

const ruby = language('symbol', `${indent}(?<kind>def|class|module)[ \\t]+(?:self\\.)?${name}`);

const php = language(
  'symbol',
  `${indent}(?:(?:abstract|final|public|private|protected|static)[ \\t]+){0,4}(?<kind>function|class|interface|trait|enum)[ \\t]+&?${name}`,
);

const shell = language(
  'function',
  `^(?:function[ \\t]+)?(?<name>[\\w:-]{1,80})[ \\t]*\\(\\)`,
  '^(?<kind>function)[ \\t]+(?<name>[\\w:-]{1,80})',
);

const lua = language('symbol', `${indent}(?:local[ \\t]+)?(?<kind>function)[ \\t]+(?<name>[\\w.:]{1,100})`);

const sql = language(
  'symbol',
  '^[ \\t]{0,8}(?i:create[ \\t]+(?:or[ \\t]+replace[ \\t]+)?(?:temp(?:orary)?[ \\t]+|unique[ \\t]+|materialized[ \\t]+)?(?<kind>table|view|index|function|procedure|trigger|type)[ \\t]+(?:if[ \\t]+not[ \\t]+exists[ \\t]+)?)["`]?(?<name>[\\w.]{1,100})',
);

const proto = language('symbol', `${indent}(?<kind>message|service|enum|rpc)[ \\t]+${name}`);
const make = language('target', '^(?<name>[\\w./%-]{1,80})[ \\t]*:(?!=)');
const sections = language('section', '^\\[{1,2}(?<name>[^\\]\\n]{1,100})\\]');
const markdown = language('heading', '^(?<indent>#{1,6})[ \\t]+(?<name>[^\\n]{1,120}?)[ \\t#]*$');
const restructured = language(
  'heading',
  '^(?<name>[^\\s=~^*#`"\'+.-][^\\n]{0,118})\\n(?:={3,120}|-{3,120}|~{3,120}|\\^{3,120})[ \\t]*$',
);

const byExtension: Readonly<Record<string, LinePattern>> = {
  ...each(['js', 'mjs', 'cjs', 'jsx', 'ts', 'mts', 'cts', 'tsx', 'vue', 'svelte'], script),
  ...each(['py', 'pyi', 'pyx'], python),
  go,
  rs: rust,
  ...each(['java', 'kt', 'kts', 'cs', 'scala', 'swift', 'groovy', 'dart'], java),
  ...each(['c', 'h', 'cc', 'cpp', 'cxx', 'hh', 'hpp', 'hxx', 'm', 'mm'], c),
  ...each(['rb', 'rake'], ruby),
  php,
  ...each(['sh', 'bash', 'zsh'], shell),
  lua,
  sql,
  proto,
  mk: make,
  ...each(['toml', 'ini', 'cfg'], sections),
  ...each(['md', 'mdx', 'markdown'], markdown),
  rst: restructured,
};

function each(extensions: readonly string[], pattern: LinePattern): Record<string, LinePattern> {
  return Object.fromEntries(extensions.map((extension) => [extension, pattern]));
}

/** The pattern for a file by its name; undefined where there is none. */
export function linePatternFor(path: string): LinePattern | undefined {
  const file = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  if (file === 'makefile') return make;
  const dot = file.lastIndexOf('.');
  const extension = dot === -1 ? '' : file.slice(dot + 1);
  return Object.hasOwn(byExtension, extension) ? byExtension[extension] : undefined;
}
