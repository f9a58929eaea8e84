import { digestOf } from './digest.ts';

/**
 * Puts content between markers that it cannot forge: their id is a digest of the content, which the content would have to
 * contain itself (requirement G7). The same content always gives the same block, so prompts can be cached.
 */
export function dataBlock(origin: string, content: string): string {
  const id = digestOf(content).slice(0, 16);
  return `<data id="${id}" origin=${JSON.stringify(origin)}>\n${content}\n</data id="${id}">`;
}
