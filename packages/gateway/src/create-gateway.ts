import { CapstanError } from '@capstan/contracts';
import { createArgumentValidator } from './argument-validator.ts';
import { allStages } from './call-tool.ts';
import { createCatalog } from './catalog/catalog.ts';
import { type Gateway, gatewayPort } from './faces/gateway-port.ts';
import { createSessionTaint } from './flow/session-taint.ts';
import type { GatewayOptions } from './gateway-options.ts';
import type { GatewayParts } from './gateway-parts.ts';
import { createLimits, defaultLimits } from './limits.ts';
import { createResultCache } from './result-cache.ts';
import { createServerPool } from './servers/create-server-pool.ts';
import { launchPlan } from './servers/launch-plan.ts';
import type { ServerPool } from './servers/server-pool.ts';

/** A gateway over the declared servers; nothing is started yet. Throws `usage` for names that cannot be told apart. */
export function createGateway(options: GatewayOptions): Gateway {
  const report = options.onDiagnostic ?? (() => undefined);
  checkNames(options);
  const catalog = createCatalog(options.servers, report);
  const limits = { ...defaultLimits, ...options.limits };
  const pool = createServerPool({
    servers: options.servers,
    plan: (spec) => launchPlan(spec, options.sandbox),
    onTools: (server, tools) => catalog.accept(server, tools),
    report,
    diagnosticsPlace: options.diagnosticsPlace ?? 'the health view',
    breakerFailures: limits.breakerFailures,
    breakerMilliseconds: limits.breakerMilliseconds,
    startMilliseconds: 20_000,
    graceMilliseconds: 1_000,
  });
  return gatewayPort(assembleParts(options, pool, catalog));
}

/** The parts of a gateway over any pool of servers. */
export function assembleParts(
  options: GatewayOptions,
  pool: ServerPool,
  catalog: GatewayParts['catalog'],
): GatewayParts {
  return {
    options,
    pool,
    catalog,
    validator: createArgumentValidator(),
    taint: createSessionTaint(options.session.events),
    limits: createLimits({ ...defaultLimits, ...options.limits }, options.clock),
    cache: createResultCache(),
    stages: options.stages ?? allStages,
  };
}

/** `server__tool` must have one reading only. */
function checkNames({ servers }: GatewayOptions): void {
  const names = servers.map((spec) => spec.name);
  const wrong = names.find((name) => !/^[a-z0-9]+([-_][a-z0-9]+)*$/u.test(name));
  if (wrong !== undefined) throw new CapstanError('usage', `"${wrong}" cannot be the name of a server.`);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new CapstanError('usage', `Two servers are called ${twice}.`);
}
