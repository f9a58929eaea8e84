import type { SandboxKind, SandboxOutput, SandboxProfile } from '@capstan/contracts';
import { findControlGroups } from './control-group.ts';
import { defaultLimits } from './default-limits.ts';
import { systemExecutable } from './executable.ts';
import { createSandboxRunner } from './sandbox-runner.ts';
import { seccompFilter } from './seccomp.ts';
import { toolchainFor } from './toolchain.ts';
import { filterCommand } from './util-linux.ts';

export interface PreflightTry {
  readonly kind: SandboxKind;
  readonly works: boolean;
  readonly detail: string;
}

/** What contains commands on this machine, found out by running them. */
export interface Preflight {
  readonly kind: SandboxKind;
  /** One line for health, results and traces: the way, its filter, and how limits are kept. */
  readonly detail: string;
  /** With kind `none`: what to do. */
  readonly hint?: string;
  readonly tried: readonly PreflightTry[];
}

export interface PreflightOptions {
  readonly searchPath: string;
  readonly node: string;
  /** The ways that may be used, best first; all by default. */
  readonly kinds?: readonly (typeof allKinds)[number][];
}

const allKinds = ['bubblewrap', 'util-linux'] as const;

/** Runs inside and reports everything that should not be possible there; `[]` is a sandbox that holds. */
const probe = `
const { existsSync, readFileSync, readdirSync, writeFileSync } = require('node:fs');
const faults = [];
for (const path of ['/home', '/root', '/run', '/sys', '/etc/shadow', '/var/lib']) {
  if (existsSync(path) && !process.argv[1].split(':').some((bound) => (bound + '/').startsWith(path + '/'))) faults.push(path + ' is visible');
}
if (Object.keys(process.env).some((name) => !['PATH', 'PWD', 'LC_CTYPE'].includes(name))) faults.push('the environment is not clean');
const links = readFileSync('/proc/net/dev', 'utf8').split('\\n').slice(2).filter(Boolean).map((line) => line.trim().split(':')[0]);
if (links.some((link) => /^(eth|en|wl|ww|docker|br|veth|tap|tun)/.test(link))) faults.push('the network is visible');
if (!/^CapBnd:\\s*0+$/m.test(readFileSync('/proc/self/status', 'utf8'))) faults.push('capabilities are left');
if (!/^NoNewPrivs:\\s*1$/m.test(readFileSync('/proc/self/status', 'utf8'))) faults.push('privileges can be gained');
if (readdirSync('/proc').filter((name) => /^\\d+$/.test(name)).length > 9) faults.push('other processes are visible');
try { writeFileSync('/written', ''); faults.push('the root is writable'); } catch {}
try { writeFileSync('/tmp/written', ''); } catch { faults.push('/tmp is not writable'); }
const server = require('node:net').createServer().on('error', () => done('loopback is down')).listen(0, '127.0.0.1', () => {
  require('node:net').connect(server.address().port, '127.0.0.1').on('connect', () => done()).on('error', () => done('loopback is down'));
});
function done(fault) { if (fault) faults.push(fault); console.log('faults:' + JSON.stringify(faults)); process.exit(0); }
`;

async function probeProfile(node: string, searchPath: string): Promise<SandboxProfile> {
  const { binds, environment } = await toolchainFor([node], searchPath);
  const limits = { ...defaultLimits, milliseconds: 20_000 };
  return { binds, masked: [], environment: { PATH: environment.PATH ?? '' }, workingDirectory: '/tmp', limits };
}

function judge(output: SandboxOutput): string | undefined {
  const report = /^faults:(\[.*\])$/m.exec(Buffer.from(output.stdout).toString())?.[1];
  if (report === '[]') return undefined;
  if (report !== undefined) return `it leaks: ${report}`;
  const reason = Buffer.from(output.stderr).toString().trim().split('\n').slice(-3).join(' ');
  return reason === '' ? `it ended by ${output.ended} with ${output.exitCode ?? output.signal}` : reason;
}

async function howLimited(): Promise<string> {
  const groups = await findControlGroups(defaultLimits);
  return groups === undefined
    ? 'limits by watching the process tree'
    : `limits by control groups (version ${groups.version})`;
}

function howFiltered(kind: SandboxKind): string {
  const filter = seccompFilter(process.arch);
  if (filter === undefined) return `no system call filter for ${process.arch}`;
  if (kind === 'bubblewrap') return 'system call filter';
  return filterCommand(filter, process.arch).length > 0 ? 'system call filter' : 'no system call filter (needs perl)';
}

async function tryKind(kind: SandboxKind, node: string, searchPath: string): Promise<PreflightTry> {
  const runner = createSandboxRunner({ kind, searchPath });
  const profile = await probeProfile(node, searchPath);
  const bound = profile.binds.map(({ to }) => to).join(':');
  const output = await runner.run({ argv: [node, '-e', probe, bound], profile });
  const fault = judge(output);
  if (fault !== undefined) return { kind, works: false, detail: fault };
  return {
    kind,
    works: true,
    detail: `${kind}: private root, no network, ${howFiltered(kind)}, ${await howLimited()}`,
  };
}

function hintFor(tried: readonly PreflightTry[]): string {
  const said = tried.map(({ detail }) => detail).join(' ');
  if (systemExecutable('unshare') === undefined) return 'Install bubblewrap (package "bubblewrap").';
  if (/mount proc|mounting proc|proc: permission|Can't mount proc/i.test(said)) {
    return 'In a container, start it with --security-opt systempaths=unconfined --security-opt seccomp=unconfined --security-opt apparmor=unconfined.';
  }
  if (/unshare failed|Operation not permitted|Permission denied|No permissions|uid_map/i.test(said)) {
    return 'Allow user namespaces: install bubblewrap with its AppArmor profile, or run "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0" (Ubuntu) or "sysctl -w kernel.unprivileged_userns_clone=1" (Debian); in a container use --security-opt seccomp=unconfined.';
  }
  return 'Install bubblewrap, or see what each way said.';
}

/**
 * Finds the way that contains commands here: bubblewrap, else util-linux, each by running a command in the real
 * profile that looks for leaks. Kind `none` comes with a hint; nothing is ever run uncontained instead.
 */
export async function preflight(options: PreflightOptions): Promise<Preflight> {
  const tried: PreflightTry[] = [];
  for (const kind of options.kinds ?? allKinds) {
    const result = await tryKind(kind, options.node, options.searchPath);
    tried.push(result);
    if (result.works) return { kind, detail: result.detail, tried };
  }
  const only = options.kinds === undefined ? '' : `, and nothing but ${options.kinds.join(' or ')} was asked for`;
  return { kind: 'none', detail: `no way to contain commands works here${only}`, hint: hintFor(tried), tried };
}
