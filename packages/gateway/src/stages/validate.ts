import { denied, type Stage } from '../stage.ts';

/** The arguments must fit the tool's own schema (requirement T4); the answer says what was wrong and what fits. */
export const validate: Stage = {
  name: 'validate',
  async run(state, next) {
    const { tool, call, gateway } = state;
    if (tool === undefined) return next();
    const problem = gateway.validator.explain(tool.definition.inputSchema, call.arguments);
    if (problem === undefined) return next();
    return denied(state, 'validate', 'arguments', problem, { hint: 'Call it again with arguments that fit.' });
  },
};
