import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CapstanError, type SandboxKind, type Trust, toFailure, type WireTool } from '@capstan/contracts';
import { listServerTools, type ServerSpec } from '@capstan/gateway';
import { bareOfficialServer } from '../official-server.ts';
import type { Settings } from '../settings.ts';
import type { ChosenServer } from './choose-servers.ts';
import type { LookedAt } from './lint-report.ts';
import { thirdPartyServer } from './third-party-server.ts';

/** Long enough for a runtime that compiles first. */
const startMilliseconds = 30_000;

export interface ListDeps {
  readonly settings: Settings;
  readonly sandbox: SandboxKind;
  readonly signal: AbortSignal;
}

export interface Listed extends LookedAt {
  readonly list: readonly WireTool[];
}

/** Starts a server, asks for its tools and ends it. A server that fails is a value: the others are still looked at. */
export async function listTools(chosen: ChosenServer, deps: ListDeps): Promise<Listed> {
  const name = 'official' in chosen ? chosen.official : chosen.name;
  const trust: Trust = 'official' in chosen ? 'official' : 'third-party';
  const folder = mkdtempSync(join(tmpdir(), 'capstan-lint-'));
  try {
    const spec = await specOf(chosen, folder, deps);
    const sandbox = { kind: deps.sandbox, searchPath: deps.settings.searchPath };
    const list = await listServerTools(spec, { sandbox, signal: deps.signal, milliseconds: startMilliseconds });
    const schemaBytes = Buffer.byteLength(JSON.stringify({ tools: list }));
    return { server: name, trust, tools: list.length, schemaBytes, list };
  } catch (thrown) {
    if (!(thrown instanceof CapstanError)) throw thrown;
    return { server: name, trust, tools: 0, schemaBytes: 0, list: [], failure: toFailure(thrown) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function specOf(chosen: ChosenServer, folder: string, { settings }: ListDeps): Promise<ServerSpec> {
  const inside = (name: string): string => {
    const path = join(folder, name);
    mkdirSync(path);
    return path;
  };
  if ('official' in chosen) {
    return bareOfficialServer(chosen.official, { settings, root: inside('root'), states: inside('states') });
  }
  if ('problem' in chosen) throw new CapstanError('server-failed', `The server ${chosen.name}: ${chosen.problem}.`);
  return thirdPartyServer(chosen, { settings, emptyFolder: inside('empty') });
}
