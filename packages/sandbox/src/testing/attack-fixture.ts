import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SandboxCommand, SandboxKind, SandboxOutput, SandboxProfile, SandboxRunner } from '@capstan/contracts';
import { defaultLimits } from '../default-limits.ts';
import { findExecutable, systemExecutable } from '../executable.ts';
import { createSandboxRunner } from '../sandbox-runner.ts';
import { toolchainFor } from '../toolchain.ts';

/** A host with things worth stealing, and a sandbox beside them. */
export interface AttackFixture {
  readonly base: string;
  /** The secret that no sandbox may show, in files, in a process's environment and behind sockets. */
  readonly canary: string;
  readonly victim: ChildProcess;
  /** What attacks are told: variables for their environment. */
  readonly targets: Record<string, string>;
  readonly runner: SandboxRunner;
  /** Connections that reached the host's servers. */
  connections(): number;
  profile(change?: Partial<SandboxProfile>): SandboxProfile;
  run(
    argv: readonly string[],
    change?: Partial<SandboxProfile>,
    more?: Partial<SandboxCommand>,
  ): Promise<SandboxOutput>;
  close(): Promise<void>;
}

function makeFiles(base: string, canary: string): void {
  for (const folder of ['home/.ssh', 'workspace/vault', 'workspace/bin', 'library']) {
    mkdirSync(join(base, folder), { recursive: true });
  }
  writeFileSync(join(base, 'home/.ssh/id'), canary);
  writeFileSync(join(base, 'workspace/.env'), canary);
  writeFileSync(join(base, 'workspace/vault/key'), canary);
  writeFileSync(join(base, 'library/file'), 'library');
  symlinkSync(join(base, 'home/.ssh/id'), join(base, 'workspace/link'));
  for (const name of ['sh', 'env', 'prlimit', 'setpriv', 'mount', 'bwrap', 'unshare', 'perl', 'setsid']) {
    const planted = join(base, 'workspace/bin', name);
    writeFileSync(planted, `#!/bin/sh\necho planted-${name} >> "${base}/escaped"\n`);
    chmodSync(planted, 0o755);
  }
}

async function listen(server: Server, address: string | { port: number; host: string }): Promise<Server> {
  if (typeof address === 'string') server.listen(address);
  else server.listen(address.port, address.host);
  await once(server, 'listening');
  return server;
}

function portOf(server: Server): number {
  const address = server.address();
  return address !== null && typeof address === 'object' ? address.port : 0;
}

/** Sets up the host side for one way of containment; `close` removes everything. */
export async function openAttackFixture(kind: SandboxKind, searchPath: string): Promise<AttackFixture> {
  const base = mkdtempSync(join(tmpdir(), 'capstan-attacks-'));
  const canary = `canary-${randomUUID()}`;
  makeFiles(base, canary);
  let reached = 0;
  const serve = (): Server =>
    createServer((socket) => {
      reached += 1;
      socket.on('error', () => socket.destroy());
      socket.end(canary);
    });
  const abstract = `capstan-${randomUUID()}`;
  const servers = [
    await listen(serve(), { port: 0, host: '127.0.0.1' }),
    await listen(serve(), join(base, 'home/socket')),
    await listen(serve(), `\0${abstract}`),
  ] as const;
  const victim = spawn('sleep', ['300'], { env: { VICTIM_SECRET: canary, PATH: '/usr/bin:/bin' }, stdio: 'ignore' });
  await once(victim, 'spawn');
  const toolchain = await toolchainFor([process.execPath], searchPath);
  const targets = {
    BASE: base,
    PORT: String(portOf(servers[0])),
    ABSTRACT: abstract,
    VICTIM: String(victim.pid),
    NODE: process.execPath,
  };
  const runner = createSandboxRunner({ kind, searchPath });
  const profile = (change: Partial<SandboxProfile> = {}): SandboxProfile => ({
    binds: [
      ...toolchain.binds,
      { from: join(base, 'workspace'), to: '/workspace', access: 'write' },
      { from: join(base, 'library'), to: '/library', access: 'read' },
    ],
    masked: [join(base, 'workspace/.env'), join(base, 'workspace/vault'), join(base, 'workspace/absent')],
    environment: { ...toolchain.environment, ...targets },
    workingDirectory: '/workspace',
    limits: { ...defaultLimits, milliseconds: 60_000 },
    ...change,
  });
  return {
    base,
    canary,
    victim,
    targets,
    runner,
    connections: () => reached,
    profile,
    run: (argv, change, more) => runner.run({ argv, profile: profile(change), ...more }),
    close: async () => {
      victim.kill('SIGKILL');
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
      rmSync(base, { recursive: true, force: true });
    },
  };
}

/** Both ways of containment, with the reason why one cannot be tested here. */
export function kindsHere(searchPath: string): { kind: 'bubblewrap' | 'util-linux'; skip: string | false }[] {
  const missing = (kind: string, tool: string | undefined): string | false =>
    tool === undefined && `needs ${kind}: not installed`;
  return [
    { kind: 'bubblewrap', skip: missing('bubblewrap', findExecutable('bwrap', searchPath)) },
    { kind: 'util-linux', skip: missing('util-linux', systemExecutable('unshare')) },
  ];
}

/** Processes of the host whose command line holds a text. */
export function processesWith(text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => commandLine(name).includes(text))
    .map(Number);
}

/**
 * Waits, as long as a busy machine may need, until no process but one has a text in its command line; the ones that have.
 * One look is not enough: a process that is just becoming another program has no command line, and one that is just being
 * made is not listed yet.
 */
export async function processesLeft(text: string, except?: number): Promise<number[]> {
  let left: number[] = [];
  for (let looks = 0, empty = 0; looks < 1500 && empty < 3; looks += 1) {
    await sleep(20);
    left = processesWith(text).filter((pid) => pid !== except);
    empty = left.length === 0 ? empty + 1 : 0;
  }
  return left;
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

export const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();
