import { scanDefinition } from '@capstan/content-scan';
import { toolName, type WireTool } from '@capstan/contracts';
import type { ServerSpec } from '../server-spec.ts';
import { buildCatalogTool, pinDigest } from './build-catalog-tool.ts';
import type { Block, CatalogTool } from './catalog-tool.ts';

/** The tools of all servers as they were first seen in this session. */
export interface Catalog {
  /** Takes a server's list. A tool whose definition is not the one first seen is blocked from then on (requirement G4). */
  accept(server: string, tools: readonly WireTool[]): void;
  get(name: string): CatalogTool | undefined;
  of(server: string): CatalogTool[];
  /** The server that a name belongs to, listed or not. */
  serverOf(name: string): ServerSpec | undefined;
}

interface Pinned {
  readonly digest: string;
  readonly tool: CatalogTool;
}

/** An empty catalog over the declared servers. */
export function createCatalog(specs: readonly ServerSpec[], report: (message: string) => void): Catalog {
  const servers = new Map(specs.map((spec) => [spec.name, spec]));
  const pinned = new Map<string, Pinned>();
  const listed = new Map<string, string[]>();
  const take = (spec: ServerSpec, tool: WireTool): string[] => {
    const name = toolName(spec.name, tool.name);
    const first = pinned.get(name);
    const digest = pinDigest(tool);
    if (first?.digest === digest || first?.tool.blocked?.rule === 'definition-changed') return [name];
    const changed = first === undefined ? undefined : changeBlock(name, first.digest, digest);
    const built = buildCatalogTool(spec, tool, changed);
    if (built?.blocked !== undefined) report(`${name} is blocked: ${built.blocked.message}`);
    else if (built === undefined) report(`${name} is left out: its name cannot be offered to models.`);
    else if (spec.trust !== 'official')
      for (const { at, finding } of scanDefinition(tool)) report(`${name}: ${finding} at ${at}.`);
    if (built === undefined) return [];
    // What the model saw first stays what it is shown; only the block is new.
    pinned.set(name, first === undefined ? { digest, tool: built } : { ...first, tool: withBlock(first.tool, built) });
    return [name];
  };
  return {
    accept(server, tools) {
      const spec = servers.get(server);
      if (spec !== undefined) listed.set(server, [...new Set(tools.flatMap((tool) => take(spec, tool)))]);
    },
    get: (name) => (isListed(listed, name) ? pinned.get(name)?.tool : undefined),
    of: (server) => (listed.get(server) ?? []).flatMap((name) => pinned.get(name)?.tool ?? []),
    serverOf: (name) => servers.get(name.slice(0, Math.max(0, name.indexOf('__')))),
  };
}

function isListed(listed: ReadonlyMap<string, readonly string[]>, name: string): boolean {
  return [...listed.values()].some((names) => names.includes(name));
}

function withBlock(first: CatalogTool, now: CatalogTool): CatalogTool {
  return now.blocked === undefined ? first : { ...first, blocked: now.blocked };
}

function changeBlock(name: string, before: string, after: string): Block {
  return {
    rule: 'definition-changed',
    message: `The definition of ${name} changed within the session, from ${before} to ${after}: a human has to look at it.`,
  };
}
