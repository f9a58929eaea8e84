import type { ArgumentValidator } from './argument-validator.ts';
import type { Catalog } from './catalog/catalog.ts';
import type { SessionTaint } from './flow/session-taint.ts';
import type { GatewayOptions } from './gateway-options.ts';
import type { Limits } from './limits.ts';
import type { ResultCache } from './result-cache.ts';
import type { ServerPool } from './servers/server-pool.ts';
import type { Stage } from './stage.ts';

/** What the stages of one gateway work with. */
export interface GatewayParts {
  readonly options: GatewayOptions;
  readonly pool: ServerPool;
  readonly catalog: Catalog;
  readonly validator: ArgumentValidator;
  readonly taint: SessionTaint;
  readonly limits: Limits;
  readonly cache: ResultCache;
  readonly stages: readonly Stage[];
}
