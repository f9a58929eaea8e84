import { toolName } from '@capstan/contracts';
import { type Rule, toolRule } from '../rule.ts';

/** The longest name that the APIs of models take, `server__` included. Characters. */
const longestName = 64;

export const nameRules: readonly Rule[] = [
  toolRule('name-form', ({ name }) =>
    /^[a-zA-Z0-9_-]+$/.test(name)
      ? undefined
      : {
          level: 'error',
          message: `The name "${name}" holds characters that the APIs of models refuse.`,
          advice: 'Use letters of the Latin alphabet, digits, _ and - only.',
        },
  ),
  toolRule('name-length', ({ name }, server) => {
    const whole = toolName(server.name, name);
    if (whole.length <= longestName) return undefined;
    return {
      level: 'error',
      message: `With its server the name has ${whole.length} characters (${whole}); hosts take ${longestName}.`,
      advice: 'Shorten the name of the tool or of the server.',
    };
  }),
  {
    id: 'name-twice',
    look: ({ tools }) => {
      const names = tools.map(({ name }) => name);
      const twice = new Set(names.filter((name, index) => names.indexOf(name) !== index));
      return [...twice].map((name) => ({
        level: 'error' as const,
        tool: name,
        message: `Several tools are called ${name}: hosts can call one of them at most.`,
        advice: 'Give each tool a name of its own.',
      }));
    },
  },
];
