import { Budget, parseCommand } from '@capstan/contracts';
import { z } from 'zod';

/** Text for one line: control characters would act on a terminal or hide what is meant. */
const Line = z
  .string()
  .min(1)
  .max(1_000)
  .refine((text) => !/\p{Cc}/u.test(text), 'has control characters in it');

const HttpUrl = Line.refine((text) => {
  const url = URL.parse(text);
  return url !== null && ['http:', 'https:'].includes(url.protocol) && url.hostname !== '';
}, 'is no address that starts with http:// or https://');

const PathPattern = Line.refine(
  (text) => !/^([/~]|[a-zA-Z]:)/.test(text) && !text.split('/').includes('..') && !text.includes('\\'),
  'is no pattern of paths inside the checkout, such as "db/migrations/**"',
);

/** The problem of a command is the rest of a sentence already. */
const CommandLine = Line.superRefine((text, context) => {
  const command = parseCommand(text);
  if ('problem' in command) context.addIssue({ code: 'custom', message: command.problem });
});

/**
 * Everything that can be configured: the source of the type, of the defaults, of the reference page and of the comments
 * in the files that `capstan init` writes. Which way is tighter stands in `tightening.ts`.
 */
export const Config = z.strictObject({
  model: z.strictObject({
    name: Line.optional().describe(
      'The chat model that works when a run names none; without one, test-guided repair does',
    ),
    url: HttpUrl.optional().describe(
      'Where the model is, any OpenAI-compatible endpoint, e.g. http://127.0.0.1:11434/v1',
    ),
    keyVariable: z
      .string()
      .regex(/^[A-Za-z_][A-Za-z0-9_]{0,99}$/, 'is no name of an environment variable')
      .default('OPENAI_API_KEY')
      .describe('The environment variable that holds the key; the key itself is never in a file'),
  }),
  approvals: z
    .enum(['contained', 'strict'])
    .default('contained')
    .describe('Who is asked: "contained" lets writes inside the workspace pass, "strict" asks before every write'),
  budget: z.strictObject({
    minutes: z.number().positive().max(100_000).default(30).describe('Wall time after which a run ends cleanly'),
    steps: Budget.shape.steps.describe('Steps of the graph that a run may take'),
    modelRequests: Budget.shape.modelRequests.describe('Requests to a chat model that a run may make'),
    tokens: Budget.shape.tokens.describe('Prompt and completion tokens of a run, together'),
    failures: Budget.shape.failures.describe('Failed attempts after which a run stops and asks a person'),
  }),
  checks: z.strictObject({
    minutes: z
      .number()
      .positive()
      .max(1_440)
      .default(10)
      .describe(
        'Wall time after which one run of a check is ended; half of the time of the whole run where that has less than 20 minutes',
      ),
    only: z
      .array(Line)
      .max(1_000)
      .optional()
      .describe('The ids of the checks that may be run, e.g. ["npm:test"]; all that are found when it is not set'),
    deny: z.array(Line).max(1_000).default([]).describe('The ids of checks that are never run, e.g. ["npm:build"]'),
  }),
  commands: z.strictObject({
    templates: z
      .array(CommandLine)
      .max(100)
      .default([])
      .describe(
        'Commands of your own beside those that a repository brings, e.g. ["seed = node seed.js --rows={rows:1..100} {file?:path}"]',
      ),
    only: z
      .array(Line)
      .max(1_000)
      .optional()
      .describe('The ids of the commands that may be run, e.g. ["npm:build"]; all that are found when it is not set'),
    deny: z
      .array(Line)
      .max(1_000)
      .default([])
      .describe('The ids of commands that are never run, e.g. ["npm:deploy"]; "checks" says it for checks'),
    shell: z
      .enum(['ask', 'off'])
      .default('off')
      .describe('Free shell commands in the sandbox: "ask" lets a model propose them, and a person approves each one'),
  }),
  protect: z
    .array(PathPattern)
    .max(200)
    .default([])
    .describe('Paths that no tool changes, as patterns, e.g. ["db/migrations/**", "*.lock"]; they can be read'),
  sandbox: z.strictObject({
    require: z
      .enum(['any', 'bubblewrap'])
      .default('any')
      .describe('What has to contain a repository\'s code: "any" that works here, or "bubblewrap" and nothing less'),
  }),
  retention: z.strictObject({
    days: z
      .number()
      .int()
      .positive()
      .max(36_500)
      .default(7)
      .describe('Days for which capstan gc leaves a session that ended without changes, or whose changes were applied'),
    unappliedDays: z
      .number()
      .int()
      .positive()
      .max(36_500)
      .default(30)
      .describe('Days for which capstan gc leaves a session whose changes were not applied, or which was broken off'),
    sessions: z
      .number()
      .int()
      .positive()
      .max(1_000_000)
      .default(200)
      .describe('Sessions above which capstan gc removes applied and unchanged ones before their time, oldest first'),
    bytes: z
      .number()
      .int()
      .positive()
      .max(Number.MAX_SAFE_INTEGER)
      .default(10 * 1024 ** 3)
      .describe('Size of the data folder above which capstan gc does the same, in bytes'),
  }),
});
export type Config = z.infer<typeof Config>;
