/** The one table of sizes (requirement T7). Bytes. */
export const sizes = {
  /** Content above this goes to the blob store and is referred to by its sha256. */
  blobThreshold: 8 * 1024,
  /** The most that one tool result carries inline towards any host. */
  inlineLimit: 32 * 1024,
  /** What `exec` shows of an output: head and tail together. */
  execOutput: 8 * 1024,
  /** One stdio message must stay below the SDK's read buffer of 10 MiB. */
  messageLimit: 8 * 1024 * 1024,
} as const;
