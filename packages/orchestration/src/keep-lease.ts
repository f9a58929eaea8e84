import type { Lease } from '@capstan/contracts';
import type { Storage } from '@capstan/storage';

/** How long a lease lasts without a renewal; a holder that is provably dead loses it at once. */
export const leaseMilliseconds = 30_000;

/** Renews a lease until the returned function is called. `onLost` is called when another holder has taken it. */
export function keepLease(storage: Storage, lease: Lease, onLost: () => void): () => void {
  let failures = 0;
  const renew = async (): Promise<void> => {
    // A storage that is busy for a moment may be asked again; after three times the lease has run out.
    const kept = await storage.renewLease(lease, leaseMilliseconds).catch(() => failures++ < 2);
    if (!kept) onLost();
  };
  const timer = setInterval(() => void renew(), leaseMilliseconds / 3);
  timer.unref();
  return () => clearInterval(timer);
}
