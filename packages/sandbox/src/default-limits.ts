import type { SandboxLimits } from '@capstan/contracts';

const mebibyte = 1024 * 1024;

/** Limits of a command for which nothing else is configured. Processes include threads: a Node process has about ten. */
export const defaultLimits: SandboxLimits = {
  milliseconds: 120_000,
  memoryBytes: 2048 * mebibyte,
  processes: 512,
  temporaryBytes: 512 * mebibyte,
  outputBytes: mebibyte,
};
