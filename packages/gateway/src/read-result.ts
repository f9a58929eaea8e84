import { Content, Failure, type ToolResult } from '@capstan/contracts';
import type { CatalogTool } from './catalog/catalog-tool.ts';
import type { WireResult } from './servers/server-pool.ts';

/**
 * A wire result as a value (requirements T7, T8). Its label is the most careful one: `scan-and-label` gives the true
 * one. Only an official server's own failure level is believed, and only its words stand outside of the content.
 */
export function readResult(tool: CatalogTool, wire: WireResult): ToolResult {
  const content = Array.isArray(wire.content) ? wire.content.flatMap((part) => Content.safeParse(part).data ?? []) : [];
  const isError = wire.isError === true;
  return {
    content,
    ...(wire.structuredContent === undefined ? {} : { structured: wire.structuredContent }),
    isError,
    ...(isError ? { failure: failureOf(tool, wire, content) } : {}),
    label: { integrity: 'external', secrecy: 'public', origin: tool.definition.name },
  };
}

/** How a call that has no result of its own is kept in the journal, so that it is not sent again. */
export function failureResult(tool: CatalogTool, failure: Failure): ToolResult {
  return { ...readResult(tool, { isError: true }), failure };
}

/** The failure of a call that had no result of its own. */
export function bareFailure(result: ToolResult): Failure | undefined {
  return result.isError && result.content.length === 0 ? result.failure : undefined;
}

function failureOf(tool: CatalogTool, wire: WireResult, content: readonly Content[]): Failure {
  const generic: Failure = {
    level: 'param',
    code: 'tool-failed',
    message: `${tool.definition.name} reported a failure; its words are in the content.`,
  };
  if (tool.spec.trust !== 'official') return generic;
  const stated = Failure.safeParse(wire._meta?.['capstan/failure']);
  if (stated.success) return stated.data;
  const first = content.find((part) => part.type === 'text' && 'text' in part && typeof part.text === 'string');
  if (first === undefined || !('text' in first)) return generic;
  return { ...generic, message: String(first.text).slice(0, 1_000) };
}
