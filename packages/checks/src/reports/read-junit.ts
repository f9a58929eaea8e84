import type { FoundTest } from './found-test.ts';

const TOKEN =
  /<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>|<(\/?)([A-Za-z][\w:.-]*)((?:[^"'<>]|"[^"]*"|'[^']*')*?)(\/?)>|([^<]+)/g;
const ATTRIBUTE = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

interface OpenCase {
  readonly attributes: Readonly<Record<string, string>>;
  status: FoundTest['status'];
  message: string | undefined;
  depth: string[];
}

/** Reads the JUnit XML that pytest writes. A test whose element was cut off is left out. */
export function readJunit(text: string): FoundTest[] {
  const found: FoundTest[] = [];
  let open: OpenCase | undefined;
  for (const [, data, closing, tag, attributes = '', selfClosing, plain] of text.matchAll(TOKEN)) {
    if (tag === undefined) {
      if (open !== undefined) addText(open, data ?? decode(plain ?? ''));
    } else if (tag === 'testcase') {
      if (closing === '/') {
        if (open !== undefined) found.push(closeCase(open));
        open = undefined;
      } else {
        const started: OpenCase = {
          attributes: readAttributes(attributes),
          status: 'passed',
          message: undefined,
          depth: [],
        };
        if (selfClosing === '/') found.push(closeCase(started));
        else open = started;
      }
    } else if (open !== undefined) {
      if (closing === '/') open.depth.pop();
      else {
        applyResult(open, tag, readAttributes(attributes));
        if (selfClosing !== '/') open.depth.push(tag);
      }
    }
  }
  return found;
}

function applyResult(open: OpenCase, tag: string, attributes: Readonly<Record<string, string>>): void {
  if (tag === 'failure' || tag === 'error') {
    open.status = 'failed';
    open.message = attributes.message;
  } else if (tag === 'skipped' && open.status === 'passed') open.status = 'skipped';
}

/** The traceback says where; of the short message it repeats the essence, so it replaces it when there is one. */
function addText(open: OpenCase, text: string): void {
  const within = open.depth.at(-1);
  if ((within === 'failure' || within === 'error') && text.trim() !== '') {
    open.message = open.message === undefined ? text : `${open.message}\n${lastLines(text)}`;
  }
}

function lastLines(text: string): string {
  return text.trimEnd().split('\n').slice(-12).join('\n');
}

function closeCase(open: OpenCase): FoundTest {
  const { file, classname = '', name = '', time } = open.attributes;
  const seconds = time === undefined ? undefined : Number(time);
  return {
    file: file ?? fileOfClass(classname),
    path: [...suitesOf(classname, file), name],
    status: open.status,
    message: open.status === 'failed' ? open.message : undefined,
    milliseconds: seconds === undefined ? undefined : seconds * 1000,
  };
}

/** "tests.test_cart.TestTotals" in tests/test_cart.py -> ["TestTotals"]. */
function suitesOf(classname: string, file: string | undefined): string[] {
  const module = (file ?? fileOfClass(classname) ?? '').replace(/\.py$/, '').replaceAll('/', '.');
  if (classname === module || classname === '') return [];
  const inner = classname.startsWith(`${module}.`) ? classname.slice(module.length + 1) : classname;
  return inner.split('.');
}

function fileOfClass(classname: string): string | undefined {
  const modules = classname.split('.').filter((part) => !/^[A-Z]/.test(part));
  return modules.length === 0 || classname === '' ? undefined : `${modules.join('/')}.py`;
}

function readAttributes(text: string): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [, name = '', double, single] of text.matchAll(ATTRIBUTE))
    attributes[name] = decode(double ?? single ?? '');
  return attributes;
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function decode(text: string): string {
  return text.replace(/&(#x?)?(\w+);/g, (whole, numeric: string | undefined, name: string) => {
    if (numeric === undefined) return ENTITIES[name] ?? whole;
    const code = Number.parseInt(name, numeric === '#x' ? 16 : 10);
    return Number.isInteger(code) && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
