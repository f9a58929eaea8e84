import { describeCommand } from '../describe-command.ts';

export const runDescription = describeCommand({
  name: 'run',
  summary: 'work on a task in a copy of the checkout',
  operands: { task: { placeholder: '"TASK"', what: 'task' } },
  options: {
    repo: {
      type: 'string',
      value: 'PATH',
      completes: 'folder',
      summary:
        'the checkout, or a folder in it: the tests of the packages there are gone by (default: the\ncurrent folder); it is not touched until applied',
    },
    apply: {
      type: 'boolean',
      summary:
        'apply the diff at the end when checks verified it; else it stays in the session, and the exit code is 3',
    },
    model: {
      type: 'string',
      value: 'NAME',
      summary:
        'let this chat model work, and send it code of the checkout (default: the configured one; where\nnone is, test-guided repair does: no model, no key); OPENAI_BASE_URL and OPENAI_API_KEY say where it is',
    },
    'no-model': { type: 'boolean', summary: 'test-guided repair, whatever is configured' },
    strict: { type: 'boolean', summary: 'ask before every write, inside the workspace too' },
    external: { type: 'boolean', summary: 'the task text comes from somebody else (CI, an issue): trust it less' },
    timeout: {
      type: 'string',
      value: 'MIN',
      summary: 'end the run cleanly after so many minutes (default 30, or as configured)',
    },
    json: { type: 'boolean', summary: 'print one event a line; the last one is run-end' },
  },
  examples: [
    'capstan run "make the failing tests pass"',
    'capstan run --repo ../shop --apply "修复失败的测试"',
    'OPENAI_BASE_URL=http://127.0.0.1:11434/v1 capstan run --model qwen3-coder "add a --quiet flag"',
  ],
  streams: true,
});
