import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { CapstanError, type Clock, type Ids, type SteadyClock } from '@capstan/contracts';
import { createChatModel } from '@capstan/models';
import type { OrchestrationDeps } from '@capstan/orchestration';
import { preflight } from '@capstan/sandbox';
import { openStorage, processHolder, type Storage } from '@capstan/storage';
import { createRedactor, secretsFromEnvironment } from '@capstan/telemetry';
import { bringAlong, reportBrought } from './bring-along.ts';
import { officialServers } from './official-servers.ts';
import { printable } from './printable.ts';
import { serverLog } from './server-log.ts';
import type { Settings } from './settings.ts';
import type { CommandContext } from './terminal.ts';

/** Everything wired: the only place that knows all packages. */
export interface Composition {
  readonly storage: Storage;
  readonly deps: Omit<OrchestrationDeps, 'onSession' | 'approver'>;
  close(): Promise<void>;
}

/** An approval that nobody answered is a no after this time (requirement A12). */
const approvalMilliseconds = 24 * 60 * 60_000;

const clock: Clock & SteadyClock = { now: () => Date.now(), steady: () => performance.now() };
const ids: Ids = { next: (prefix) => `${prefix}-${randomBytes(8).toString('hex')}` };

/** Opens the data folder and wires the packages together. Throws `storage-failed`. */
export async function compose(settings: Settings, context: CommandContext): Promise<Composition> {
  const redact = createRedactor(secretsFromEnvironment(settings.environment));
  const notice = (sentence: string) => context.terminal.error(`capstan: ${printable(sentence)}\n`);
  const storage = openStorage({ home: settings.home, clock, ids, redact, notice });
  const sandbox = once(() => preflight({ searchPath: settings.searchPath, node: settings.node }));
  const deps: Composition['deps'] = {
    storage,
    clock,
    ids,
    random: Math.random,
    holder: processHolder(),
    worktrees: join(settings.home, 'worktrees'),
    workspacePool: join(settings.home, 'workspace-pool'),
    homeFolder: settings.homeFolder,
    searchPath: settings.searchPath,
    actor: settings.actor,
    containment: sandbox,
    signal: context.signal,
    openModel: (name) => openModel(name, settings),
    openGateway: async ({ session, workspace, task }) => {
      const { createGateway } = await import('@capstan/gateway');
      const { kind } = await sandbox();
      const brought = await bringAlong({ workspace, sandboxKind: kind, searchPath: settings.searchPath });
      await reportBrought(session, brought);
      const log = serverLog(join(settings.home, 'servers.log'), redact, clock);
      return createGateway({
        servers: await officialServers({ settings, workspace, sandboxKind: kind, brought }),
        session,
        blobs: storage.blobs,
        clock,
        ids,
        auditKey: storage.auditKey,
        redact,
        workspaceRoot: workspace.root,
        approvals: task.approvals,
        userText: task.label.integrity === 'user' ? task.text : '',
        sandbox: { kind, searchPath: settings.searchPath },
        approvalMilliseconds,
        onDiagnostic: log.append,
        diagnosticsPlace: log.path,
      });
    },
  };
  return { storage, deps, close: async () => storage.close() };
}

/** Trying the sandbox takes a moment, so it waits until somebody needs it, and happens once. */
function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function openModel(name: string, { modelUrl, modelKey }: Settings) {
  if (modelUrl === undefined && modelKey === undefined) {
    throw new CapstanError('no-model', `It is not known where the model "${name}" is.`, {
      hint: 'Set OPENAI_API_KEY, or OPENAI_BASE_URL for any compatible endpoint (Ollama: http://127.0.0.1:11434/v1).',
    });
  }
  return createChatModel({
    name,
    baseUrl: modelUrl ?? 'https://api.openai.com/v1',
    apiKey: modelKey ?? 'none',
    random: Math.random,
  });
}
