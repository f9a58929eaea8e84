import { foldPath } from './fold-path.ts';

const secretFolders = new Set(['.ssh', '.aws', '.gnupg', '.kube', '.azure', '.gcloud', '.password-store']);

const secretNames = new Set([
  ...['.env', '.envrc', '.npmrc', '.netrc', '_netrc', '.pypirc', '.pgpass', '.my.cnf', '.git-credentials'],
  ...['.htpasswd', '.dockercfg', '.vault-token'],
]);

const secretPattern = /^(\.env\..*|.*\.(pem|key|p12|pfx|jks|keystore|kdbx|ppk)|id_(rsa|dsa|ecdsa|ed25519)([._-].*)?)$/;

/** Templates that hold names of settings, not their values. */
const templatePattern = /^\.env\.(example|sample|template|dist|defaults)$/;

/** True for files that hold secrets or that make git run code: they are neither read nor written (requirement T3). */
export function isSecretPath(path: string): boolean {
  const segments = foldPath(path);
  return segments.some((segment, index) => isSecretSegment(segment, segments.slice(0, index)));
}

function isSecretSegment(segment: string, before: readonly string[]): boolean {
  if (secretFolders.has(segment) || secretNames.has(segment)) return true;
  if (secretPattern.test(segment)) return !templatePattern.test(segment);
  if (before.at(-1) === '.docker' && segment === 'config.json') return true;
  return before.includes('.git') && (segment === 'hooks' || segment.startsWith('config'));
}

/** True for files that no tool writes: secrets, and everything that belongs to git itself. */
export function isProtectedPath(path: string): boolean {
  return isSecretPath(path) || foldPath(path).includes('.git');
}

/** Folders whose files run code or steer agents without anybody starting them. */
const trustFolders = new Set([
  ...[
    '.git',
    '.github',
    '.gitlab',
    '.gitea',
    '.forgejo',
    '.circleci',
    '.buildkite',
    '.woodpecker',
    '.teamcity',
    '.tekton',
  ],
  ...['.ci', '.husky', '.githooks', '.vscode', '.idea', '.zed', '.devcontainer', '.fleet'],
  ...[
    '.capstan',
    '.cursor',
    '.claude',
    '.codex',
    '.gemini',
    '.windsurf',
    '.continue',
    '.kiro',
    '.roo',
    '.agents',
    '.junie',
    '.amazonq',
    '.trae',
    '.opencode',
    '.gitpod',
  ],
  ...['.cargo', '.mvn', '.yarn', '.bundle', '.config'],
]);

const trustNames = new Set([
  ...[
    'package.json',
    'package-lock.json',
    'npm-shrinkwrap.json',
    'yarn.lock',
    'pnpm-lock.yaml',
    'bun.lock',
    'bun.lockb',
  ],
  ...[
    '.npmrc',
    '.yarnrc',
    '.yarnrc.yml',
    '.pnpmfile.cjs',
    'pnpm-workspace.yaml',
    'bunfig.toml',
    'deno.json',
    'deno.jsonc',
  ],
  ...[
    'pyproject.toml',
    'setup.py',
    'setup.cfg',
    'tox.ini',
    'noxfile.py',
    'pipfile',
    'pipfile.lock',
    'poetry.lock',
    'uv.lock',
  ],
  ...['sitecustomize.py', 'usercustomize.py', 'environment.yml'],
  ...['cargo.toml', 'cargo.lock', 'build.rs', 'rust-toolchain', 'rust-toolchain.toml', 'go.mod', 'go.sum', 'go.work'],
  ...['gemfile', 'gemfile.lock', 'rakefile', 'composer.json', 'composer.lock', 'pom.xml', 'mvnw', 'mvnw.cmd'],
  ...['gradlew', 'gradlew.bat', 'gradle.properties', 'gradle-wrapper.properties', 'gradle-wrapper.jar'],
  ...[
    'makefile',
    'gnumakefile',
    'bsdmakefile',
    'cmakelists.txt',
    'configure',
    'configure.ac',
    'meson.build',
    'binding.gyp',
  ],
  ...['justfile', 'taskfile.yml', 'taskfile.yaml', 'build', 'build.bazel', 'workspace', 'module.bazel', '.bazelrc'],
  ...['flake.nix', 'flake.lock', 'shell.nix', 'default.nix', 'vagrantfile', 'tiltfile', 'earthfile', 'procfile'],
  ...['.gitlab-ci.yml', '.travis.yml', 'jenkinsfile', 'azure-pipelines.yml', 'bitbucket-pipelines.yml', 'appveyor.yml'],
  ...[
    '.appveyor.yml',
    '.drone.yml',
    '.woodpecker.yml',
    'cloudbuild.yaml',
    'codeowners',
    'dependabot.yml',
    'renovate.json',
  ],
  ...[
    '.gitattributes',
    '.gitmodules',
    '.gitconfig',
    '.lfsconfig',
    '.pre-commit-config.yaml',
    'lefthook.yml',
    '.lefthook.yml',
  ],
  ...['.env', '.envrc', '.tool-versions', 'mise.toml', '.mise.toml', '.mcp.json', 'mcp.json'],
  ...['agents.md', 'agent.md', 'claude.md', 'claude.local.md', 'gemini.md', 'copilot-instructions.md', 'skill.md'],
  ...[
    'agents.override.md',
    'conftest.py',
    'pytest.ini',
    'manage.py',
    'gulpfile.js',
    'gruntfile.js',
    '.pnp.cjs',
    '.pnp.loader.mjs',
  ],
  ...['.exrc', '.nvim.lua', '.vimrc', '.dir-locals.el', '.gdbinit', '.lldbinit', '.rprofile', '.replit', '.gitpod.yml'],
  ...[
    'netlify.toml',
    'vercel.json',
    'firebase.json',
    'fly.toml',
    'ansible.cfg',
    'mix.exs',
    'build.sbt',
    'package.swift',
  ],
  ...['workspace.bazel', 'nx.json', 'turbo.json', 'lerna.json', 'tsconfig.json', 'jsconfig.json'],
  ...['.cursorrules', '.windsurfrules', '.clinerules', '.roorules', '.aider.conf.yml', '.goosehints', '.cursorignore'],
]);

const trustPattern =
  /^(dockerfile.*|.*\.dockerfile|containerfile.*|(docker-)?compose(\..*)?\.ya?ml|requirements.*\.txt|constraints.*\.txt|.*\.(mk|cmake|gemspec|gradle|gradle\.kts|csproj|sln|targets|props|pth|code-workspace|instructions\.md|nix)|\.lintstagedrc.*|\.huskyrc.*|.*\.config\.[cm]?[jt]sx?|.*\.config\.(json|ya?ml|toml)|\.[a-z-]+rc(\.(json|ya?ml|toml|[cm]?js|ts))?)$/;

/**
 * True for files that run code or steer agents outside the sandbox once a diff is applied (CI, hooks, package scripts,
 * build files, agent instructions, editor tasks): `apply` holds them until a human has looked. Errs towards true.
 */
export function isTrustBearingPath(path: string): boolean {
  const segments = foldPath(path);
  const name = segments.at(-1) ?? '';
  if (segments.some((segment) => trustFolders.has(segment))) return true;
  return trustNames.has(name) || trustPattern.test(name) || isSecretPath(path);
}
