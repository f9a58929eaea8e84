import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isProtectedPath, isSecretPath, isTrustBearingPath } from './classify-path.ts';

const secrets = [
  ...['.env', '.env.local', '.env.production', 'a/b/.env', '.ENV', '.Env.Local', 'certs/server.pem', 'tls/server.KEY'],
  ...['id_rsa', 'keys/id_ed25519', 'id_rsa.bak', '.ssh/known_hosts', 'home/.aws/credentials', '.npmrc', '.netrc'],
  ...[
    '.git/hooks/pre-commit',
    '.git/config',
    '.GIT/Hooks/post-checkout',
    '.git/modules/x/config',
    'sub/.git/config.worktree',
  ],
  ...[
    '.docker/config.json',
    '.git-credentials',
    'GIT~1/config',
    '.git./hooks/x',
    '.git /config',
    '.git::$INDEX_ALLOCATION/config',
  ],
  ...['.g\u200cit/config', '.\uff47\uff49\uff54/config', '.env ', '.env.', '.env::$DATA', 'a\\.ssh\\id'],
];
const harmless = [
  ...[
    'src/a.ts',
    '.env.example',
    'environment.ts',
    'src/env',
    'docs/keyboard.md',
    'git/hooks/readme.md',
    'src/config.ts',
  ],
  ...['.gitignore', '.github/workflows/ci.yml', 'hooks/use-thing.ts', 'aws/readme.md', '你好.txt', 'README.md'],
];
const trustBearing = [
  ...[
    'package.json',
    'packages/a/package.json',
    'PACKAGE.JSON',
    'Makefile',
    'AGENTS.md',
    'docs/CLAUDE.md',
    '.mcp.json',
  ],
  ...['.github/workflows/ci.yml', '.vscode/tasks.json', '.cursor/rules/a.mdc', '.cursorrules', '.capstan/config.yaml'],
  ...[
    'pyproject.toml',
    'setup.py',
    'build.rs',
    'Cargo.toml',
    'Dockerfile',
    'Dockerfile.dev',
    'docker-compose.yml',
    '.npmrc',
  ],
  ...['.husky/pre-commit', '.gitlab-ci.yml', '.gitattributes', '.env', 'requirements-dev.txt', '.cargo/config.toml'],
  ...[
    '.devcontainer/devcontainer.json',
    '.git/hooks/pre-push',
    'rules.mk',
    'x.instructions.md',
    '.pre-commit-config.yaml',
  ],
];
const ordinary = [
  'src/sum.mjs',
  'test/sum.test.mjs',
  'README.md',
  'docs/guide.md',
  'lib/package.ts',
  'src/makefile.ts',
  'a.css',
];

test('T3: secret files are known in every spelling', () => {
  for (const path of secrets) assert.equal(isSecretPath(path), true, path);
  for (const path of harmless) assert.equal(isSecretPath(path), false, path);
});

test('T3: nothing under .git is written, and no secret', () => {
  for (const path of [...secrets, '.git', '.git/HEAD', 'a/.git/index', '.GiT/objects/x']) {
    assert.equal(isProtectedPath(path), true, path);
  }
  for (const path of harmless) assert.equal(isProtectedPath(path), false, path);
});

test('trust-bearing files are known, ordinary ones are not', () => {
  const tools = [
    'conftest.py',
    'vite.config.ts',
    'a/eslint.config.mjs',
    '.eslintrc',
    '.babelrc.json',
    '.exrc',
    '.nvim.lua',
    'AGENTS.override.md',
  ];
  for (const path of tools) assert.equal(isTrustBearingPath(path), true, path);
  for (const path of trustBearing) assert.equal(isTrustBearingPath(path), true, path);
  for (const path of ordinary) assert.equal(isTrustBearingPath(path), false, path);
});

/** Ways to spell a segment that some file system takes for the same name. */
const respell = fc.constantFrom<(segment: string) => string>(
  (segment) => segment.toUpperCase(),
  (segment) => segment.normalize('NFD'),
  (segment) => `${segment}.`,
  (segment) => `${segment} `,
  (segment) => `${segment.slice(0, 1)}\u200d${segment.slice(1)}`,
  (segment) => segment.replace(/[a-z]/g, (letter) => String.fromCodePoint(letter.charCodeAt(0) + 0xfee0)),
);
const segment = fc.stringMatching(/^[a-z0-9._-]{1,12}$/).filter((name) => name !== '.' && name !== '..');
const interesting = fc.constantFrom(...secrets, ...harmless, ...trustBearing, ...ordinary);
const anyPath = fc.oneof(
  fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/')),
  interesting,
);

test('T3: spelling does not change what a path is', () => {
  fc.assert(
    fc.property(anyPath, respell, (path, change) => {
      const spelled = path.split('/').map(change).join('/');
      assert.equal(isSecretPath(spelled), isSecretPath(path));
      assert.equal(isProtectedPath(spelled), isProtectedPath(path));
      assert.equal(isTrustBearingPath(spelled), isTrustBearingPath(path));
    }),
  );
});

test('T3: a secret stays one in any folder, and each secret is protected and trust-bearing', () => {
  fc.assert(
    fc.property(anyPath, segment, (path, folder) => {
      if (isSecretPath(path)) assert.equal(isSecretPath(`${folder}/${path}`), true);
      if (isSecretPath(path)) assert.equal(isProtectedPath(path) && isTrustBearingPath(path), true);
      if (isProtectedPath(path)) assert.equal(isTrustBearingPath(path), true);
    }),
  );
});
