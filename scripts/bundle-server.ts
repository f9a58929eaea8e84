import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type OutputChunk, type Plugin, rolldown } from 'rolldown';
import { z } from 'zod';

const root = fileURLToPath(new URL('..', import.meta.url));
const servers = join(root, 'packages', 'servers');

/** Packages with native code: installed beside the bundle, in the version that the lock file pins. */
const native = ['oxc-parser'];

/** What of a server's package.json the published one is made of. */
const Manifest = z.object({
  name: z.string(),
  version: z.string(),
  description: z.string().optional(),
  license: z.string(),
  capstan: z
    .object({
      bundle: z
        .object({
          beside: z.record(z.string(), z.string()).describe('Files that are not code, by their name beside it'),
        })
        .optional(),
    })
    .optional(),
});
type Manifest = z.infer<typeof Manifest>;

export interface BundledServer {
  readonly folder: string;
  /** Of all code together. */
  readonly bytes: number;
}

/** Names of the servers that there are. */
export function serverNames(): string[] {
  return readdirSync(servers).filter((name) => existsSync(join(servers, name, 'src', 'main.ts')));
}

/** Makes the package of one server below `out`, and replaces one that is there. */
export async function bundleServer(name: string, out: string): Promise<BundledServer> {
  const source = join(servers, name);
  const folder = join(out, name);
  const manifest = Manifest.parse(JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')));
  rmSync(folder, { recursive: true, force: true });
  const chunks = await bundle(join(source, 'src', 'main.ts'), join(folder, 'dist'));
  for (const [beside, from] of Object.entries(manifest.capstan?.bundle?.beside ?? {}))
    cpSync(join(source, from), join(folder, 'dist', beside), { recursive: true });
  writeExecutable(folder, name);
  writeFileSync(
    join(folder, 'package.json'),
    `${JSON.stringify(publishedManifest(manifest, name, chunks), null, 2)}\n`,
  );
  cpSync(join(source, 'README.md'), join(folder, 'README.md'));
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  writeFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), licensesOf(chunks));
  return { folder, bytes: chunks.reduce((sum, { code }) => sum + Buffer.byteLength(code), 0) };
}

async function bundle(main: string, folder: string): Promise<OutputChunk[]> {
  const build = await rolldown({ input: { main }, platform: 'node', external: native, plugins: [lightShims] });
  const { output } = await build.write({
    dir: folder,
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
    minify: true,
  });
  await build.close();
  return output.filter((file) => file.type === 'chunk');
}

/**
 * The SDK checks answers to its own questions with Ajv, 300 kB that a server loads and hardly uses. It ships a smaller
 * validator for the same schemas.
 */
const lightShims: Plugin = {
  name: 'light-shims',
  resolveId: (id) => (/^@modelcontextprotocol\/\w+\/_shims$/.test(id) ? '\0light-shims' : null),
  load: (id) =>
    id === '\0light-shims'
      ? `export { default as process } from 'node:process';
         export { CfWorkerJsonSchemaValidator as DefaultJsonSchemaValidator } from '@modelcontextprotocol/server/validators/cf-worker';`
      : null,
};

/** Starts the code with its compiled form from the last start; a process that is killed later must have kept it before. */
function writeExecutable(folder: string, name: string): void {
  const path = join(folder, 'bin', `capstan-${name}.mjs`);
  mkdirSync(join(folder, 'bin'), { recursive: true });
  writeFileSync(
    path,
    `#!/usr/bin/env -S node --max-semi-space-size=1
import module from 'node:module';

if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error('capstan-${name} needs Node 24 or later; this is ' + process.version + '.');
  process.exit(4);
}
module.enableCompileCache();
await import('../dist/main.mjs');
module.flushCompileCache();
`,
  );
  chmodSync(path, 0o755);
}

function publishedManifest(manifest: Manifest, name: string, chunks: readonly OutputChunk[]): object {
  const { name: packageName, version, description, license } = manifest;
  const needed = native.filter((one) => chunks.some(({ imports }) => imports.includes(one)));
  return {
    name: packageName,
    version,
    ...(description === undefined ? {} : { description }),
    license,
    type: 'module',
    engines: { node: '>=24' },
    bin: { [`capstan-${name}`]: `bin/capstan-${name}.mjs` },
    files: ['bin', 'dist', 'README.md', 'LICENSE', 'THIRD-PARTY-LICENSES.txt'],
    dependencies: Object.fromEntries(needed.map((one) => [one, pinnedVersion(one)])),
  };
}

function pinnedVersion(name: string): string {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as unknown;
  return z.object({ dependencies: z.record(z.string(), z.string()) }).parse(manifest).dependencies[name] ?? '*';
}

/** The licenses of the packages whose code is in the bundle: they ask to be passed on. */
function licensesOf(chunks: readonly OutputChunk[]): string {
  const folders = chunks
    .flatMap(({ moduleIds }) => moduleIds)
    .flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? []);
  return [...new Set(folders)]
    .sort()
    .map((folder) => {
      const { name, version, license } = z
        .object({ name: z.string(), version: z.string(), license: z.string().default('see its package') })
        .parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
      const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
      const text = file === undefined ? '' : `\n\n${readFileSync(join(folder, file), 'utf8').trim()}`;
      return `${name} ${version} (${license})${text}\n`;
    })
    .join(`\n${'-'.repeat(80)}\n\n`);
}
