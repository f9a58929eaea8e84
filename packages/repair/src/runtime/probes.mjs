// What instrumented sources call: counts which places were reached, and ends a test that takes too many steps.

const MAX_CALLS = 60;
// A recursive function would fill the list with its own calls.
const CALLS_PER_TEST = 3;
const MAX_ARGUMENT_TEXT = 4000;

class StepLimit extends Error {
  name = 'StepLimit';
}

/** Installs the probe for this process; the returned object reads and resets it. */
export function installProbes(count) {
  const hits = new Uint32Array(count);
  const clone = structuredClone;
  const stringify = JSON.stringify;
  let steps = 0;
  let limit = Number.POSITIVE_INFINITY;
  let calls;
  let recorded = 0;
  const probe = (id, given) => {
    hits[id] += 1;
    steps += 1;
    if (steps > limit) throw new StepLimit(`more than ${limit} steps`);
    if (given !== undefined && calls !== undefined && recorded < CALLS_PER_TEST && calls.length < MAX_CALLS) {
      recorded += 1;
      record(id, given);
    }
  };
  const record = (id, given) => {
    const list = calls;
    calls = undefined;
    try {
      const copy = clone([...given]);
      const text = stringify(copy);
      if (text.length <= MAX_ARGUMENT_TEXT && stringify(JSON.parse(text)) === text) list.push({ id, args: copy });
    } catch {
      // Arguments that cannot be copied are of no use as inputs.
    }
    calls = list;
  };
  Object.defineProperty(globalThis, '$capstan', { value: probe });
  return {
    start(most) {
      hits.fill(0);
      steps = 0;
      recorded = 0;
      limit = most;
    },
    recordCalls() {
      calls = [];
    },
    takeCalls() {
      const taken = calls ?? [];
      calls = undefined;
      return taken;
    },
    /** Pauses the limit while the harness itself works. */
    pause() {
      limit = Number.POSITIVE_INFINITY;
    },
    steps: () => steps,
    addTo(reached) {
      for (let id = 0; id < hits.length; id += 1) if (hits[id] > 0) reached.add(id);
    },
    hits() {
      const reached = [];
      for (let id = 0; id < hits.length; id += 1) if (hits[id] > 0) reached.push(id);
      return reached;
    },
  };
}
