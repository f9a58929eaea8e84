import { canonicalJson } from '@capstan/contracts';
import { isTrustBearingPath } from '@capstan/workspace';
import { destinationsOf, isNamed } from '../flow/destinations.ts';
import { type Destination, decideFlow, type FlowFacts } from '../flow/sink-table.ts';
import { isPathKey } from '../policy/path-rules.ts';
import { textArguments } from '../policy/text-arguments.ts';
import { type CallState, denied, type Stage } from '../stage.ts';

/** Where arguments may go (requirement G6), by the sink table and never by what the content says. */
export const informationFlow: Stage = {
  name: 'information-flow',
  async run(state, next) {
    const facts = await factsOf(state);
    if (facts === undefined) return next();
    state.flow = decideFlow(facts);
    if (state.flow.requirement !== 'deny') return next();
    const message = `${state.call.name} would send secret content out of the workspace.`;
    return denied(state, 'information-flow', state.flow.rule, message, { hint: 'Leave the secret out.' });
  },
};

async function factsOf(state: CallState): Promise<FlowFacts | undefined> {
  const { call, gateway, tool } = state;
  if (tool === undefined) return undefined;
  const held = await gateway.taint.current();
  const { redact } = gateway.options;
  const text = canonicalJson(call.arguments);
  // Encoded secrets are not recognised, so once the session holds one, only arguments known as clean are free of it.
  const secret = redact(text) !== text || (held.secret && call.taint !== 'clean');
  return {
    sink: tool.sink,
    taint: tool.sink === 'contained-run' && hasNoFreeParameter(state) ? 'clean' : call.taint,
    afterExternalRead: held.external,
    destination: destinationOf(state),
    secret,
    trustBearing: textArguments(call.arguments).some(({ key, value }) => isPathKey(key) && isTrustBearingPath(value)),
  };
}

/** A choice among declared templates, a number or a switch carries no content of anybody's. */
function hasNoFreeParameter({ call, tool }: CallState): boolean {
  const choices = tool?.spec.runs?.[tool.definition.tool] ?? [];
  return Object.entries(call.arguments).every(
    ([name, value]) => choices.includes(name) || typeof value === 'number' || typeof value === 'boolean',
  );
}

function destinationOf({ call, gateway, tool }: CallState): Destination {
  const { userText, allowedDestinations = [] } = gateway.options;
  const destinations = destinationsOf(call.arguments);
  if (destinations.length === 0) return tool?.egress === true ? 'unknown' : 'server';
  return destinations.every((destination) => isNamed(destination, userText, allowedDestinations))
    ? 'named'
    : call.taint;
}
