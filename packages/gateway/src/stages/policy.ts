import { findCommandBreak } from '../policy/command-rules.ts';
import { findHostBreak } from '../policy/host-rules.ts';
import { findPathBreak, type RuleBreak } from '../policy/path-rules.ts';
import { findProtectedBreak } from '../policy/protected-path-break.ts';
import { type CallState, denied, type Stage } from '../stage.ts';

/** What is never allowed, whoever approves: undeclared tools, tiers that are off, paths, hosts and commands (G3, G13). */
export const policy: Stage = {
  name: 'policy',
  async run(state, next) {
    const broken = declaredBreak(state) ?? tierBreak(state) ?? (await argumentBreak(state));
    if (broken !== undefined) return denied(state, 'policy', broken.rule, broken.message, hintFor(broken.rule));
    return next();
  },
};

function declaredBreak({ call, context }: CallState): RuleBreak | undefined {
  if (context.tools.includes(call.name)) return undefined;
  return { rule: 'undeclared-tool', message: `${call.name} is not a tool of ${context.agent}.` };
}

function tierBreak({ tool }: CallState): RuleBreak | undefined {
  if (tool?.definition.tier !== 'dangerous') return undefined;
  if (tool.spec.enabledDangerous?.includes(tool.definition.tool)) return undefined;
  return {
    rule: 'tier-dangerous-off',
    message: `${tool.definition.name} is dangerous and has not been enabled by name.`,
  };
}

async function argumentBreak({ call, gateway, tool }: CallState): Promise<RuleBreak | undefined> {
  const { workspaceRoot, userText, allowedDestinations = [], protectedPaths = [] } = gateway.options;
  const changes = tool?.definition.tier !== 'read';
  const roots = [workspaceRoot, ...(tool?.spec.profile?.binds.map((bind) => bind.to) ?? [])];
  const command = tool?.sink === 'code' ? undefined : findCommandBreak(call.arguments);
  return (
    (await findPathBreak(call.arguments, roots)) ??
    (changes ? await findProtectedBreak(call.arguments, workspaceRoot, protectedPaths) : undefined) ??
    findHostBreak(call.arguments, userText, allowedDestinations) ??
    command
  );
}

function hintFor(rule: string): { hint: string } {
  if (rule.startsWith('path-')) return { hint: 'Use a path relative to the workspace, e.g. "src/index.ts".' };
  if (rule === 'command-shell') return { hint: 'Run one of the declared command templates.' };
  return { hint: 'A person can change what is allowed; go on without it.' };
}
