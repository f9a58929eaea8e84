import { readdirSync, readFileSync } from 'node:fs';

const closeOnExec = 0o2000000;

function staysOpen(descriptor: string): boolean {
  try {
    const flags = /^flags:\s+(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8'))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & closeOnExec) === 0;
  } catch {
    return false;
  }
}

/**
 * Descriptors above 2 that this process would pass on to any process that it starts: those that its own starter left
 * open. An open folder among them would be a way out of every sandbox.
 */
export function inheritedDescriptors(): number[] {
  return readdirSync('/proc/self/fdinfo')
    .filter((name) => Number(name) > 2 && staysOpen(name))
    .map(Number);
}
