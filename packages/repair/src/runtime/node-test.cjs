// Stands in for node:test while candidates are screened: it registers tests, and screen.mjs runs those it wants, many
// times in one process. It knows the common part of the interface; a suite that needs more fails here, which is seen
// when its unpatched results are compared with node:test's own, and such a suite is not screened.
'use strict';

let current;

function newSuite(name, parent) {
  return {
    kind: 'suite',
    name,
    parent,
    children: [],
    before: [],
    after: [],
    beforeEach: [],
    afterEach: [],
    skip: false,
  };
}

/** Starts a new root; what is registered from now on hangs below it. */
function begin() {
  current = newSuite('', undefined);
  return current;
}

function readArguments(name, options, body) {
  let own = { name, options, body };
  if (typeof name === 'function') own = { body: name };
  else if (typeof name === 'object' && name !== null) own = { options: name, body: options };
  else if (typeof options === 'function') own = { name, body: options, options: body };
  return {
    name: String(own.name || own.body?.name || '<anonymous>'),
    options: own.options ?? {},
    body: own.body ?? (() => {}),
  };
}

function isMarked(mark) {
  return mark !== undefined && mark !== false;
}

function addTest(extra, name, options, body) {
  const own = readArguments(name, options, body);
  const marks = { ...own.options, ...extra };
  current.children.push({
    kind: 'test',
    name: own.name,
    body: own.body,
    timeout: marks.timeout,
    skip: isMarked(marks.skip) || isMarked(marks.todo),
    parent: current,
  });
  return Promise.resolve();
}

function addSuite(extra, name, options, body) {
  const own = readArguments(name, options, body);
  const suite = newSuite(own.name, current);
  suite.skip = isMarked({ ...own.options, ...extra }.skip) || isMarked({ ...own.options, ...extra }.todo);
  current.children.push(suite);
  const outer = current;
  current = suite;
  try {
    suite.ready = own.body({ name: own.name });
  } finally {
    current = outer;
  }
  return Promise.resolve();
}

function variants(add) {
  const plain = (name, options, body) => add({}, name, options, body);
  plain.skip = (name, options, body) => add({ skip: true }, name, options, body);
  plain.todo = (name, options, body) => add({ todo: true }, name, options, body);
  plain.only = plain;
  return plain;
}

const hook = (kind) => (body) => {
  current[kind].push(body);
};

const test = variants(addTest);
const suite = variants(addSuite);

module.exports = test;
module.exports.test = test;
module.exports.it = test;
module.exports.describe = suite;
module.exports.suite = suite;
module.exports.skip = test.skip;
module.exports.todo = test.todo;
module.exports.only = test.only;
module.exports.before = hook('before');
module.exports.after = hook('after');
module.exports.beforeEach = hook('beforeEach');
module.exports.afterEach = hook('afterEach');
module.exports.begin = begin;
Object.defineProperty(module.exports, 'mock', { enumerable: true, get: () => require('node:test').mock });
