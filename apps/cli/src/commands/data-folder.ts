import { toFailure } from '@capstan/contracts';
import { folderSize, freeSpace, openStorage, type Storage, sizeText } from '@capstan/storage';
import type { Finding } from './finding.ts';

const part = 'data folder';

/** Below this a run may end for want of space. Bytes. */
const little = 100_000_000;

/** Opens the data folder, reads all of it and says what it takes on the disk, what is damaged, and what to do. */
export async function dataFolder(home: string): Promise<Finding> {
  let storage: Storage | undefined;
  const notices: string[] = [];
  try {
    const notice = (sentence: string) => notices.push(sentence);
    const ids = { next: (prefix: string) => prefix };
    storage = openStorage({ home, clock: { now: () => Date.now() }, ids, redact: (text) => text, notice });
    const damage = await storage.findDamage();
    if (damage.length > 0) return damaged(home, damage);
    const sessions = (await storage.listSessions()).filter((session) => session.status === 'open');
    return healthy(home, sessions.length, notices);
  } catch (thrown) {
    const { message, hint } = toFailure(thrown);
    return { part, state: 'broken', detail: message, ...(hint ? { hint } : {}) };
  } finally {
    storage?.close();
  }
}

function damaged(home: string, damage: readonly string[]): Finding {
  const more = damage.length > 3 ? `; and ${damage.length - 3} more` : '';
  return {
    part,
    state: 'broken',
    detail: `${home}: ${damage.slice(0, 3).join('; ')}${more}`,
    hint: 'Bring back what is damaged from a copy of the data folder. What else is there can still be read.',
  };
}

function healthy(home: string, sessions: number, notices: readonly string[]): Finding {
  const free = freeSpace(home);
  const space = free === undefined ? '' : `, ${sizeText(free)} free on its disk`;
  const detail = [`${home}: ${sessions} sessions, ${sizeText(folderSize(home))}${space}`, ...notices].join('. ');
  if (free === undefined || free >= little) return { part, state: 'works', detail };
  return { part, state: 'works', detail, hint: 'There is little space left: capstan gc removes old sessions.' };
}
