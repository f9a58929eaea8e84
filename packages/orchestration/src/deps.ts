import type {
  Approval,
  ChatModel,
  Clock,
  Ids,
  SessionStorage,
  SteadyClock,
  Task,
  ToolGateway,
} from '@capstan/contracts';
import type { Storage } from '@capstan/storage';
import type { SessionWorkspace } from '@capstan/workspace';

/** A gateway with its server processes, opened for one session and closed with it. */
export interface SessionGateway extends ToolGateway {
  close(): Promise<void>;
}

export interface GatewayRequest {
  readonly session: SessionStorage;
  readonly workspace: SessionWorkspace;
  readonly task: Task;
}

/** What orchestration needs from the composition root. */
export interface OrchestrationDeps {
  readonly storage: Storage;
  readonly clock: Clock & SteadyClock;
  readonly ids: Ids;
  /** Between 0 and 1; spreads retries. */
  readonly random: () => number;
  /** Identifies this process as a holder of leases. */
  readonly holder: string;
  /** Folder that holds one folder per session. */
  readonly worktrees: string;
  /** Folder of what sessions on the same checkout share. */
  readonly workspacePool: string;
  /** The person's home folder: never taken for a project. */
  readonly homeFolder: string;
  readonly searchPath: string;
  /** The person on whose behalf runs go. */
  readonly actor: string;
  /** Which way code of a repository is contained on this machine, after trying it. */
  containment(repository: string): Promise<{ readonly kind: string; readonly detail: string }>;
  openGateway(request: GatewayRequest): Promise<SessionGateway>;
  /**
   * Throws `no-model` when no model of that name is configured, and `model-not-trusted` when it is neither on this machine
   * nor where it was when a person agreed to the run.
   */
  openModel(name: string, agreed: string | undefined): Promise<ChatModel>;
  /**
   * Asks a reachable person; undefined when nobody can be asked: the session then waits. The signal is aborted when
   * somebody has answered elsewhere: it then gives undefined at once.
   */
  readonly approver?: (approval: Approval, signal: AbortSignal) => Promise<'approved' | 'denied' | undefined>;
  /**
   * Aborted on SIGTERM, SIGHUP and Ctrl-C. It reaches into model requests and tool calls: the step in work is cut off, and
   * made again when the run is resumed.
   */
  readonly signal: AbortSignal;
  /** Told the session id as soon as it exists, so that readers can follow its log. */
  readonly onSession: (sessionId: string) => void;
}
