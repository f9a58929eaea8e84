import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { flagLayer } from './flag-layer.ts';
import { describeOrigin } from './layer.ts';
import { type ConfigSources, loadConfig } from './load-config.ts';

interface House {
  readonly base: string;
  readonly repository: string;
  readonly projectFile: string;
  readonly userFile: string;
  load(more?: Partial<ConfigSources>): ReturnType<typeof loadConfig>;
}

function openHouse(t: TestContext, files: { user?: string; project?: string | Buffer } = {}): House {
  const base = mkdtempSync(join(tmpdir(), 'capstan-config-'));
  t.after(() => rmSync(base, { recursive: true, force: true }));
  const repository = join(base, 'checkout');
  const [userFile, projectFile] = [join(base, 'user.yaml'), join(repository, '.capstan', 'config.yaml')];
  mkdirSync(dirname(projectFile), { recursive: true });
  if (files.user !== undefined) writeFileSync(userFile, files.user);
  if (files.project !== undefined) writeFileSync(projectFile, files.project);
  const load = (more: Partial<ConfigSources> = {}) =>
    loadConfig({ userFile, userFileNamed: false, repository, environment: {}, ...more });
  return { base, repository, projectFile, userFile, load };
}

test('without any file the defaults count', async (t) => {
  const { config, files } = await openHouse(t).load();
  assert.deepEqual([config.approvals, config.budget.minutes, config.model.name], ['contained', 30, undefined]);
  assert.deepEqual(
    files.map(({ kind, found }) => [kind, found]),
    [
      ['user', false],
      ['project', false],
    ],
  );
});

test('default, user, project, environment and flag stand over each other, each with its origin', async (t) => {
  const user = 'budget:\n  minutes: 25\n  steps: 20\n  tokens: 9\n  failures: 2\n';
  const house = openHouse(t, { user, project: 'budget:\n  steps: 10\n  tokens: 8\n  failures: 9\n' });
  const { config, keys } = await house.load({
    environment: { CAPSTAN_BUDGET_TOKENS: '7', CAPSTAN_BUDGET_MODEL_REQUESTS: '3', CAPSTAN_BUDGET_STEPS: '' },
    flags: flagLayer({ 'budget.modelRequests': { flag: '--requests', value: 2 } }),
  });
  assert.deepEqual(config.budget, { minutes: 25, steps: 10, tokens: 7, failures: 2, modelRequests: 2 });
  const origins = ['minutes', 'steps', 'tokens', 'failures', 'modelRequests'].map((name) => {
    const [origin] = [...keys].find(([path]) => path === `budget.${name}`)?.[1].origins ?? [];
    return origin === undefined ? 'none' : describeOrigin(origin);
  });
  assert.deepEqual(origins, [
    `${house.userFile}:2:3`,
    `${house.projectFile}:2:3`,
    'environment CAPSTAN_BUDGET_TOKENS',
    `${house.userFile}:5:3`,
    'flag --requests',
  ]);
  assert.deepEqual(keys.get('budget.failures')?.ignored?.value, 9);
});

test('lists of a project are added where they forbid, and cut where they allow', async (t) => {
  const user = 'checks:\n  only: [npm:test, pytest]\n  deny: [make]\nprotect: [a]\n';
  const project = 'checks:\n  only: [pytest, cargo]\n  deny: [go]\nprotect: [b, a]\n';
  const { config } = await openHouse(t, { user, project }).load();
  assert.deepEqual(config.checks, { minutes: 10, only: ['pytest'], deny: ['make', 'go'] });
  assert.deepEqual(config.protect, ['a', 'b']);
});

test('A8: the address of the model is what OPENAI_BASE_URL says, unless CAPSTAN_MODEL_URL does', async (t) => {
  const house = openHouse(t, { user: 'model:\n  url: http://127.0.0.1:1/v1\n' });
  const url = async (environment: Record<string, string>) => (await house.load({ environment })).config.model.url;
  assert.equal(await url({}), 'http://127.0.0.1:1/v1');
  assert.equal(await url({ OPENAI_BASE_URL: 'http://127.0.0.1:2/v1' }), 'http://127.0.0.1:2/v1');
  const both = { OPENAI_BASE_URL: 'http://127.0.0.1:2/v1', CAPSTAN_MODEL_URL: 'http://127.0.0.1:3/v1' };
  assert.equal(await url(both), 'http://127.0.0.1:3/v1');
});

const wrongVariables: Readonly<Record<string, readonly [string, RegExp]>> = {
  CAPSTAN_APPROVALS: ['stric', /^environment CAPSTAN_APPROVALS: "approvals" .*did you mean "strict"\?$/],
  CAPSTAN_BUDGET_STEPS: ['many', /^environment CAPSTAN_BUDGET_STEPS: "budget.steps" .*expected number/],
  CAPSTAN_PROTECT: ['a,../b', /^environment CAPSTAN_PROTECT: an entry of "protect" is no pattern/],
  OPENAI_BASE_URL: ['localhost:11434', /^environment OPENAI_BASE_URL: "model.url" is no address/],
};

for (const [variable, [value, message]] of Object.entries(wrongVariables)) {
  test(`a wrong value in ${variable} is said with its name`, async (t) => {
    await assert.rejects(openHouse(t).load({ environment: { [variable]: value } }), { code: 'bad-config', message });
  });
}

interface Broken {
  readonly name: string;
  readonly prepare: (house: House) => void;
  /** What follows the path of the file. */
  readonly says: RegExp;
}

const broken: readonly Broken[] = [
  {
    name: 'larger than 64 KiB',
    prepare: ({ projectFile }) => writeFileSync(projectFile, `# ${'x'.repeat(64 * 1024)}\n`),
    says: /^: it is larger than 64 KiB$/,
  },
  {
    name: 'of gigabytes',
    prepare: ({ projectFile }) => {
      writeFileSync(projectFile, '');
      truncateSync(projectFile, 5 * 1024 ** 3);
    },
    says: /^: it is larger than 64 KiB$/,
  },
  {
    name: 'not UTF-8',
    prepare: ({ projectFile }) => writeFileSync(projectFile, Buffer.from('# 数据\napprovals: \xe9\n', 'latin1')),
    says: /^:\d+: it is not UTF-8 text$/,
  },
  {
    name: 'UTF-16',
    prepare: ({ projectFile }) => writeFileSync(projectFile, Buffer.from('\ufeffapprovals: strict\n', 'utf16le')),
    says: /^:1: it is not UTF-8 text$/,
  },
  {
    name: 'a folder',
    prepare: ({ projectFile }) => mkdirSync(projectFile),
    says: /^: it is a folder$/,
  },
  {
    name: 'a pipe that nobody writes to',
    prepare: ({ projectFile }) => execFileSync('mkfifo', [projectFile]),
    says: /^: it is no regular file$/,
  },
  {
    name: 'a link out of the checkout',
    prepare: ({ base, projectFile }) => {
      writeFileSync(join(base, 'secret'), 'password: hunter2\n');
      symlinkSync('../../secret', projectFile);
    },
    says: /^: it is a link that leads out of the checkout$/,
  },
  {
    name: 'in a folder that is a link out of the checkout',
    prepare: ({ base, repository }) => {
      mkdirSync(join(base, 'elsewhere'));
      writeFileSync(join(base, 'elsewhere', 'config.yaml'), 'approvals: strict\n');
      rmSync(join(repository, '.capstan'), { recursive: true });
      symlinkSync('../elsewhere', join(repository, '.capstan'));
    },
    says: /^: it is a link that leads out of the checkout$/,
  },
  {
    name: 'a link to itself',
    prepare: ({ projectFile }) => symlinkSync('config.yaml', projectFile),
    says: /^: it cannot be read \(ELOOP\)$/,
  },
  { name: 'empty', prepare: ({ projectFile }) => writeFileSync(projectFile, ''), says: /^:1:1: the file is empty$/ },
];

for (const { name, prepare, says } of broken) {
  test(`a project's file is refused when it is ${name}`, async (t) => {
    const house = openHouse(t);
    prepare(house);
    await assert.rejects(house.load(), (thrown: Error & { code?: string }) => {
      assert.equal(thrown.code, 'bad-config');
      assert.ok(thrown.message.startsWith(house.projectFile), thrown.message);
      assert.match(thrown.message.slice(house.projectFile.length), says);
      assert.doesNotMatch(thrown.message, /hunter2/);
      return true;
    });
  });
}

test('links are followed in the checkout, and for the file of the person', async (t) => {
  const house = openHouse(t);
  writeFileSync(join(house.repository, 'shared.yaml'), 'approvals: strict\n');
  symlinkSync('../shared.yaml', house.projectFile);
  writeFileSync(join(house.base, 'dotfiles.yaml'), 'budget: {steps: 5}\n');
  symlinkSync('dotfiles.yaml', house.userFile);
  const { config } = await house.load();
  assert.deepEqual([config.approvals, config.budget.steps], ['strict', 5]);
});

test('a file that CAPSTAN_CONFIG names has to be there', async (t) => {
  const house = openHouse(t);
  await assert.rejects(house.load({ userFileNamed: true }), {
    message: /CAPSTAN_CONFIG names this file, and it is not/,
  });
  assert.equal((await house.load()).config.approvals, 'contained');
});

test('a way to a file that leads through another file has nothing at its end', async (t) => {
  const house = openHouse(t, { user: 'approvals: strict\n' });
  const { files } = await house.load({ userFile: join(house.userFile, 'config.yaml') });
  assert.equal(files[0]?.found, false);
});
