/** Lines of a report that begin with its secret; whatever else was written to the same place is not ours. */
export function readLines(text, secret) {
  return text
    .split('\n')
    .flatMap((line) => (line.startsWith(`${secret} `) ? [JSON.parse(line.slice(secret.length + 1))] : []));
}

/** The tests of a report, with paths relative to the copy at `root`, in names and traces too. */
export function readTests(lines, root) {
  return lines.flatMap((line) => (line.names === undefined ? [] : [placed(line, root)]));
}

function placed(test, root) {
  const short = (text) => text?.replaceAll(`${root}/`, '');
  return {
    ...test,
    file: short(test.file),
    names: test.names.map(short),
    message: short(test.message),
    stack: short(test.stack),
  };
}
