import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Resources } from './define-resources.ts';
import { HeldWatches } from './held-watches.ts';
import { ResourceWatches } from './resource-watches.ts';

/** Resources that count their watches; only `x:` URIs can be watched. */
function counting() {
  const running = new Map<string, () => void>();
  const log: string[] = [];
  const resources: Resources = {
    list: async () => ({ items: [] }),
    read: async () => undefined,
    watch: async (uri, changed) => {
      if (uri === 'broken:') throw new Error('no watch left');
      if (!uri.startsWith('x:')) return undefined;
      running.set(uri, changed);
      log.push(`begin ${uri}`);
      return () => {
        running.delete(uri);
        log.push(`end ${uri}`);
      };
    },
  };
  return { watches: new ResourceWatches(resources), running, log };
}

describe('watches of resources', () => {
  test('T2: hosts share one watch, from the first to the last of them', async () => {
    const { watches, running, log } = counting();
    const told: string[] = [];
    const same = (): void => void told.push('same');
    const [first, second] = await Promise.all([watches.watch('x:a', same), watches.watch('x:a', same)]);
    running.get('x:a')?.();
    assert.deepEqual(told, ['same', 'same']);
    first?.();
    first?.();
    running.get('x:a')?.();
    assert.equal(told.length, 3);
    second?.();
    await Promise.resolve();
    assert.deepEqual(log, ['begin x:a', 'end x:a']);
    (await watches.watch('x:a', same))?.();
    await Promise.resolve();
    assert.deepEqual(log.slice(2), ['begin x:a', 'end x:a']);
  });

  test('T2: what cannot be watched leaves nothing behind, and neither does a watch that fails', async () => {
    const { watches, log } = counting();
    assert.equal(await watches.watch('y:a', () => undefined), undefined);
    assert.equal(await watches.watchList(() => undefined), undefined);
    await assert.rejects(
      watches.watch('broken:', () => undefined),
      /no watch left/,
    );
    await assert.rejects(
      watches.watch('broken:', () => undefined),
      /no watch left/,
    );
    assert.deepEqual(log, []);
  });

  test('T2: a watch that starts after its connection has ended is stopped at once', async () => {
    const { watches, log } = counting();
    const held = new HeldWatches();
    const begun = watches.watch('x:a', () => undefined);
    held.stop();
    held.keep('a', await begun);
    await Promise.resolve();
    assert.deepEqual([held.count, log], [0, ['begin x:a', 'end x:a']]);
  });
});
