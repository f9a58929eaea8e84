import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Config } from '@capstan/config';
import { approvalMilliseconds, type ChatModel, type Clock, type Ids, type SteadyClock } from '@capstan/contracts';
import type { OrchestrationDeps } from '@capstan/orchestration';
import { preflight } from '@capstan/sandbox';
import { openStorage, processHolder, type Storage } from '@capstan/storage';
import { createRedactor, secretsFromEnvironment } from '@capstan/telemetry';
import { bringAlong, leaveBehind, reportBrought } from './bring-along.ts';
import { configFor } from './config-for.ts';
import { modelEndpoint, mustBeAt } from './model-endpoint.ts';
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

const clock: Clock & SteadyClock = { now: () => Date.now(), steady: () => performance.now() };
const ids: Ids = { next: (prefix) => `${prefix}-${randomBytes(8).toString('hex')}` };

/** Opens the data folder and wires the packages together. Throws `storage-failed`. */
export async function compose(settings: Settings, context: CommandContext): Promise<Composition> {
  const redact = createRedactor(await secrets(settings));
  const notice = (sentence: string) => context.terminal.error(`capstan: ${printable(sentence)}\n`);
  const storage = openStorage({ home: settings.home, clock, ids, redact, notice });
  const { searchPath, node } = settings;
  const configOf = onceFor((repository: string) => configFor(settings, { repository }).then(({ config }) => config));
  const tried = onceFor((require: Config['sandbox']['require']) =>
    preflight({ searchPath, node, ...(require === 'any' ? {} : { kinds: [require] }) }),
  );
  const containment = async (repository: string) => tried((await configOf(repository)).sandbox.require);
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
    containment,
    signal: context.signal,
    openModel: async (name, agreed) => openModel({ name, agreed }, (await configFor(settings)).config, settings),
    openGateway: async ({ session, workspace, task }) => {
      const { createGateway } = await import('@capstan/gateway');
      const config = await configOf(task.repository);
      const { kind } = await containment(task.repository);
      const brought = await bringAlong({ workspace, sandboxKind: kind, searchPath: settings.searchPath });
      await reportBrought(session, brought);
      const log = serverLog(join(settings.home, 'servers.log'), redact, clock);
      const gateway = createGateway({
        servers: await officialServers({ settings, workspace, sandboxKind: kind, brought, config }),
        session,
        blobs: storage.blobs,
        clock,
        ids,
        auditKey: storage.auditKey,
        redact,
        workspaceRoot: workspace.root,
        approvals: task.approvals,
        protectedPaths: config.protect,
        userText: task.label.integrity === 'user' ? task.text : '',
        sandbox: { kind, searchPath: settings.searchPath },
        approvalMilliseconds,
        onDiagnostic: log.append,
        diagnosticsPlace: log.path,
      });
      const close = async (): Promise<void> => {
        await gateway.close();
        await leaveBehind(workspace);
      };
      return { ...gateway, close };
    },
  };
  return { storage, deps, close: async () => storage.close() };
}

/** What takes a moment waits until somebody needs it, and happens once for each value. */
function onceFor<Key, Value>(make: (key: Key) => Promise<Value>): (key: Key) => Promise<Value> {
  const made = new Map<Key, Promise<Value>>();
  return (key) => {
    const known = made.get(key) ?? make(key);
    made.set(key, known);
    return known;
  };
}

/** What must never be written anywhere. A configuration that cannot be read stops what needs it, and not all else. */
async function secrets(settings: Settings): Promise<string[]> {
  const found = secretsFromEnvironment(settings.environment);
  const keyVariable = await configFor(settings).then(
    ({ config }) => config.model.keyVariable,
    () => undefined,
  );
  const key = keyVariable === undefined ? undefined : settings.environment[keyVariable];
  return key === undefined ? found : [...found, key];
}

async function openModel({ name, agreed }: ModelWish, config: Config, { environment }: Settings): Promise<ChatModel> {
  const { createChatModel } = await import('@capstan/models');
  const endpoint = modelEndpoint(name, config, environment);
  if (agreed !== undefined) mustBeAt(agreed, endpoint);
  return createChatModel({ name, baseUrl: endpoint.url, apiKey: endpoint.key ?? 'none', random: Math.random });
}

interface ModelWish {
  readonly name: string;
  readonly agreed: string | undefined;
}
