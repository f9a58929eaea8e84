const overview = `Capstan: coding agents that fix code in a sandbox and show a diff before anything is changed.

  capstan run --repo PATH "TASK"     work on a task in a copy of the checkout
  capstan resume SESSION             go on after a crash, a stop or a question
  capstan diff SESSION               show what a session changed
  capstan apply SESSION              bring its changes into the checkout
  capstan doctor                     say what works on this machine
  capstan audit verify               check that the audit trail is complete and unchanged
  capstan COMMAND --help             options and examples

Exit codes: 0 done and verified, 1 not solved, 2 wrong use, 3 needs a human or was denied,
4 this environment cannot do it (the message says which part). A second Ctrl-C ends at once, with 130.
`;

const pages: Readonly<Record<string, string>> = {
  run: `capstan run --repo PATH [options] "TASK"

  --repo PATH      the checkout (default: the current folder); it is not touched until applied
  --apply          apply the diff at the end when it is verified
  --model NAME     let a chat model work; without it, test-guided repair (no model, no key) does
                   OPENAI_BASE_URL and OPENAI_API_KEY say where the model is
  --strict         ask before every write, inside the workspace too
  --external       the task text comes from somebody else (CI, an issue): trust it less
  --timeout MIN    end the run cleanly after so many minutes (default 30)
  --json           one event a line; the last one is run-end

Examples:
  capstan run "make the failing tests pass"
  capstan run --repo ../shop --apply "修复失败的测试"
  OPENAI_BASE_URL=http://127.0.0.1:11434/v1 capstan run --model qwen3-coder "add a --quiet flag"
`,
  resume: `capstan resume SESSION [--json]

Goes on with the last run of a session from where its process left it. In a terminal, waiting questions are asked.

Example:
  capstan resume session-0f3a
`,
  diff: `capstan diff SESSION

Prints a unified diff of the session's changes against the checkout that it started from.

Example:
  capstan diff session-0f3a | less
`,
  apply: `capstan apply SESSION [--reviewed] [--unverified]

Brings the session's changes into the checkout: all of them or none. A checkout that moved on is merged where the changes
do not touch, else refused. Files that can run code or steer tools (CI, package scripts, agent instructions...) hold
everything until --reviewed says that a person has looked at them. Links too. Changes of a run that did not end verified
need --unverified.

Example:
  capstan apply session-0f3a
`,
  doctor: `capstan doctor [--json]

Says which parts work on this machine: Node, git, sandbox, data folder, model. Exit code 4 when runs cannot work here.
`,
  audit: `capstan audit verify [--json]

Checks the hash chain over every audited call. Exit code 1 names the first row that was changed, removed or added.
`,
};

/** The help page of a command, or the overview. */
export function help(command?: string): string {
  return (command !== undefined && Object.hasOwn(pages, command) ? pages[command] : undefined) ?? overview;
}
