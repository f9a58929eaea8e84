import type { ChatModel, Clock, SessionStorage, SteadyClock, Task, ToolGateway, Workspace } from '@capstan/contracts';
import type { Pause } from '@capstan/resilience';
import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';

/** What the graph works with: ports only. */
export interface AgentDeps {
  readonly gateway: ToolGateway;
  /** Needed by the planner `model`. */
  readonly model?: ChatModel;
  readonly session: SessionStorage;
  readonly checkpointer: BaseCheckpointSaver;
  readonly workspace: Workspace;
  readonly clock: Clock & SteadyClock;
  /** Aborted to drain: the run stops between two effects and goes on from there when it is driven again. */
  readonly signal?: AbortSignal;
  /** Between 0 and 1; spreads the retries of calls. */
  readonly random: () => number;
  readonly pause?: Pause;
}

/** Which run the graph drives. */
export interface RunInput {
  readonly runId: string;
  readonly sessionId: string;
  readonly task: Task;
  /** The person on whose behalf the run goes. */
  readonly actor: string;
}
