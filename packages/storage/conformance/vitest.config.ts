import { defineConfig } from 'vitest/config';

/** LangGraph's own suite for checkpoint savers needs vitest's globals; everything else here runs on node:test. */
export default defineConfig({
  test: { globals: true, include: ['*.spec.ts'], environment: 'node', cache: false },
});
