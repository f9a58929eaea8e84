import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Lease, type SessionStorage, Task } from '@capstan/contracts';
import { openStorage, type Storage, type StorageOptions } from './open-storage.ts';

/** A clock that a test moves by hand. */
export interface HandClock {
  time: number;
  now(): number;
}

export function handClock(time = 1_000_000): HandClock {
  return {
    time,
    now() {
      return this.time;
    },
  };
}

/** Ids of the process, counted. */
export function countedIds(start = process.pid): { next(prefix: string): string } {
  let count = 0;
  return {
    next(prefix) {
      count += 1;
      return `${prefix}-${start}-${count}`;
    },
  };
}

export function temporaryHome(t: Pick<TestContext, 'after'>): string {
  const home = mkdtempSync(join(tmpdir(), 'capstan-storage-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

export type Opened = { storage: Storage; clock: HandClock; home: string };

export function openTemporary(t: Pick<TestContext, 'after'>, options: Partial<StorageOptions> = {}): Opened {
  const home = options.home ?? temporaryHome(t);
  const clock = handClock();
  const storage = openStorage({ home, clock, ids: countedIds(), redact: (text) => text, ...options });
  t.after(() => storage.close());
  return { storage, clock, home };
}

export async function takeLease(storage: Storage, sessionId = 's-1', holder = 'holder-1'): Promise<Lease> {
  if ((await storage.findSession(sessionId)) === undefined) {
    await storage.createSession({ repository: '/repository', sessionId });
  }
  const lease = await storage.acquireLease(sessionId, holder, 60_000);
  if (lease === undefined) throw new Error(`session ${sessionId} is held`);
  return lease;
}

export async function openSession(t: Pick<TestContext, 'after'>, options: Partial<StorageOptions> = {}) {
  const opened = openTemporary(t, options);
  const lease = await takeLease(opened.storage);
  const session: SessionStorage = opened.storage.session(lease);
  return { ...opened, lease, session };
}

export const sampleTask: Task = Task.parse({
  text: 'make the failing tests pass',
  label: { integrity: 'user', secrecy: 'public', origin: 'task' },
  repository: '/repository',
  planner: 'repair',
  apply: false,
  budget: {},
});
