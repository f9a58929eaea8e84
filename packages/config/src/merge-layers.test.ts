import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Config } from './config.ts';
import { configKeys } from './config-keys.ts';
import type { KeyPath } from './key-path.ts';
import type { Layer, Origin, Setting } from './layer.ts';
import { type Layers, mergeLayers } from './merge-layers.ts';
import { tighten, type Value } from './tighten.ts';

const ids = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 4 });

const values: Readonly<Record<KeyPath, fc.Arbitrary<Value>>> = {
  'model.name': fc.constantFrom('small', 'large'),
  'model.url': fc.constantFrom('http://127.0.0.1/v1', 'https://example.org/v1'),
  'model.keyVariable': fc.constantFrom('OPENAI_API_KEY', 'OTHER'),
  approvals: fc.constantFrom('contained', 'strict'),
  'budget.minutes': fc.double({ min: 0.1, max: 90, noNaN: true }),
  'budget.steps': fc.integer({ min: 1, max: 99 }),
  'budget.modelRequests': fc.integer({ min: 1, max: 99 }),
  'budget.tokens': fc.integer({ min: 1, max: 999_999 }),
  'budget.failures': fc.integer({ min: 1, max: 9 }),
  'checks.minutes': fc.double({ min: 0.1, max: 90, noNaN: true }),
  'checks.only': ids,
  'checks.deny': ids,
  'commands.templates': fc.constantFrom(['a = x'], ['b = y {file:path}'], []),
  'commands.only': ids,
  'commands.deny': ids,
  'commands.shell': fc.constantFrom('ask', 'off'),
  protect: ids,
  'sandbox.require': fc.constantFrom('any', 'bubblewrap'),
  'retention.days': fc.integer({ min: 1, max: 99 }),
  'retention.unappliedDays': fc.integer({ min: 1, max: 99 }),
  'retention.sessions': fc.integer({ min: 1, max: 99 }),
  'retention.bytes': fc.integer({ min: 1, max: 999_999 }),
};

function layerOf(origin: Origin, keys = configKeys): fc.Arbitrary<Layer> {
  const shape = Object.fromEntries(keys.map(({ path }) => [path, values[path]]));
  return fc.record(shape, { requiredKeys: [] }).map((given) => {
    const settings = new Map<KeyPath, Setting>();
    for (const { path } of keys) if (path in given) settings.set(path, { value: given[path], origin });
    return settings;
  });
}

const user = layerOf({ kind: 'user', file: 'user.yaml', line: 1, column: 1 });
const tightenable = configKeys.filter((key) => key.tightening.kind !== 'user-only');
const project = layerOf({ kind: 'project', file: 'project.yaml', line: 1, column: 1 }, tightenable);
const environment = layerOf({ kind: 'environment', variable: 'X' });
const flags = layerOf({ kind: 'flag', flag: '--x' });
const nothing: Layer = new Map();
const layers: fc.Arbitrary<Layers> = fc.record({ user, project, environment, flags });

/** Written out key by key, and not with `tighten`: what may be done under `tight` may be done under `loose`. */
function assertAtLeastAsTight(tight: Config, loose: Config): void {
  assert.ok(tight.approvals === 'strict' || loose.approvals === 'contained', 'approvals');
  for (const name of ['minutes', 'steps', 'modelRequests', 'tokens', 'failures'] as const) {
    assert.ok(tight.budget[name] <= loose.budget[name], name);
  }
  for (const id of ['a', 'b', 'c', 'd']) {
    if (mayRun(tight.checks, id)) assert.ok(mayRun(loose.checks, id), `check ${id}`);
    if (mayRun(tight.commands, id)) assert.ok(mayRun(loose.commands, id), `command ${id}`);
    if (loose.protect.includes(id)) assert.ok(tight.protect.includes(id), `protect ${id}`);
  }
  assert.ok(tight.sandbox.require === 'bubblewrap' || loose.sandbox.require === 'any', 'sandbox');
  assert.ok(tight.commands.shell === 'off' || loose.commands.shell === 'ask', 'shell');
  assert.deepEqual(tight.commands.templates, loose.commands.templates);
  assert.deepEqual(tight.model, loose.model);
  assert.deepEqual(tight.retention, loose.retention);
}

function mayRun({ only, deny }: Config['checks'] | Config['commands'], id: string): boolean {
  return (only?.includes(id) ?? true) && !deny.includes(id);
}

test('with any project file the policy is at least as tight as without it', () => {
  fc.assert(
    fc.property(layers, (all) => {
      assertAtLeastAsTight(mergeLayers(all).config, mergeLayers({ ...all, project: nothing }).config);
    }),
  );
});

test('what a project asks for holds, or what is tighter', () => {
  fc.assert(
    fc.property(user, project, (mine, theirs) => {
      const merged = mergeLayers({ user: mine, project: theirs, environment: nothing, flags: nothing });
      // The same values, set by somebody who may loosen too.
      const wanted = mergeLayers({ user: mine, project: nothing, environment: nothing, flags: theirs });
      assertAtLeastAsTight(merged.config, wanted.config);
    }),
  );
});

test('a stronger source wins: user over default, environment over files, flags over all', () => {
  fc.assert(
    fc.property(layers, (all) => {
      const { keys } = mergeLayers(all);
      for (const { path, fallback } of configKeys) {
        const found = keys.get(path);
        const above = all.flags.get(path) ?? all.environment.get(path);
        const expected = above ?? (all.project.has(path) ? undefined : (all.user.get(path) ?? { value: fallback }));
        if (expected !== undefined) assert.deepEqual(found?.value, expected.value, path);
      }
    }),
  );
});

test('every value has an origin that set it', () => {
  fc.assert(
    fc.property(layers, (all) => {
      for (const [path, { value, origins }] of mergeLayers(all).keys) {
        assert.ok(origins.length > 0, path);
        const set = [all.user, all.project, all.environment, all.flags].map((layer) => layer.get(path));
        for (const origin of origins) {
          const source = set.find((setting) => setting?.origin === origin);
          if (origin.kind === 'default') assert.ok(value !== undefined || !all.user.has(path));
          else assert.ok(source, `${path} by ${origin.kind}`);
        }
      }
    }),
  );
});

test('what a project asks for in vain is told', () => {
  const at = { kind: 'project', file: 'p', line: 3, column: 1 } as const;
  const wanted = new Map<KeyPath, Setting>([['budget.minutes', { value: 90, origin: at }]]);
  const { keys } = mergeLayers({ user: nothing, project: wanted, environment: nothing, flags: nothing });
  assert.deepEqual(keys.get('budget.minutes'), {
    value: 30,
    origins: [{ kind: 'default' }],
    ignored: { value: 90, origin: at },
  });
});

for (const key of tightenable) {
  const value = fc.option(values[key.path], { nil: undefined });
  const same = (first: Value, second: Value) => {
    const sorted = (one: Value) => (Array.isArray(one) ? [...(one as string[])].sort() : one);
    assert.deepEqual(sorted(first), sorted(second));
  };

  test(`tightening ${key.path} is idempotent, commutative and associative`, () => {
    fc.assert(
      fc.property(value, value, value, (first, second, third) => {
        const join = (one: Value, other: Value) => tighten(key.tightening, one, other);
        same(join(first, first), first);
        same(join(join(first, second), second), join(first, second));
        same(join(first, second), join(second, first));
        same(join(join(first, second), third), join(first, join(second, third)));
      }),
    );
  });
}
