export { allStages, callTool } from './call-tool.ts';
export { createGateway } from './create-gateway.ts';
export { dispatch } from './dispatch.ts';
export type { Gateway } from './faces/gateway-port.ts';
export type { GatewayOptions } from './gateway-options.ts';
export { defaultLimits, type LimitOptions } from './limits.ts';
export type { ServerSpec } from './server-spec.ts';
export type { ServerHealth } from './servers/server-pool.ts';
export { type Stage, type StageName, stageNames } from './stage.ts';
