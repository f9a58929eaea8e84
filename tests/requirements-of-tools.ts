import type { Requirement } from './requirement.ts';
import type { RequirementId } from './requirement-ids.ts';

const open: Requirement = { status: 'open', tests: [] };

/** The rows of tool servers (T) and the gateway (G). */
export const toolRequirements = {
  T1: {
    status: 'partly',
    tests: [
      'tests/scenarios/model-runs.test.ts#A4 T1 G1: a model fixes a bug in two files by tool calls, and the diff is verified',
      'packages/gateway/src/scenarios/servers.test.ts#T1: a server gets exactly its environment, and its process ends with the gateway',
      'packages/tool-server/src/serve-http.test.ts#T1: calls, failures and progress come as over stdio',
      'packages/tool-server/src/serve-http.test.ts#T1: other names in Host and Origin are refused before anything is read',
      'packages/tool-server/src/run-server.test.ts#T1: without a safe way in, HTTP is not served',
      'packages/tool-server/src/odd-peers.test.ts#T1: a host of 2024-11-05 gets that version',
      'tests/conformance/stdio-conformance.test.ts#T1: ',
    ],
    note: 'Missing: host snippets tried in hosts.',
  },
  T2: {
    status: 'partly',
    tests: [
      'packages/servers/fs-read/src/resources/file-resources.test.ts#T2: all pages together list each file once, without secrets, links and what git ignores',
      'packages/servers/fs-read/src/resources/file-resources.test.ts#T2: a host that asked for it is told of a changed file and a changed list',
      'packages/tool-server/src/host-primitives.test.ts#T2: prompts are listed with their arguments, got, and complete what is typed',
      "packages/tool-server/src/host-primitives.test.ts#T2: a tool asks the host's model, and hears when it refuses",
      'packages/tool-server/src/host-primitives.test.ts#T2: what a host answered counts for the call that it was asked in',
    ],
    note: 'Files. Missing: resources and prompts of the other servers.',
  },
  T3: {
    status: 'partly',
    tests: [
      'tests/scenarios/escapes.test.ts#T3 G8 F9: through the real processes every way out is stopped, and nothing is left running',
      'packages/git-repository/src/hostile-configuration.test.ts#T3: a plain git obeys a configuration, ours runs nothing in nine commands: ',
      'packages/servers/git-write/src/main.test.ts#T3: a git folder with links or second names is not written into',
      'packages/servers/git-write/src/main.test.ts#T3: what git_restore takes away comes back byte for byte, and so does what was there instead',
      'packages/servers/git-read/src/main.test.ts#T3: contents of secret files are in no reply, and each reply says that they are left out',
      'packages/servers/git-read/src/unusual-repositories.test.ts#T3: a git folder, objects or files that lie elsewhere are not followed',
      'tests/scenarios/model-runs.test.ts#G6 T3 G8: an instruction hidden in a file, obeyed: nothing is read, nothing is sent, all is audited',
      'packages/servers/fs-write/src/apply-patch.test.ts#T3: what configuration protects is not changed by any tool, under any name',
    ],
    note: 'Missing: a file that is watched while it changes; link races are only narrowed where there is no /proc.',
  },
  T4: {
    status: 'partly',
    tests: [
      'packages/contracts/src/contracts.test.ts#T4: a task with a member that nobody knows is refused',
      'packages/servers/git-read/src/main.test.ts#T4: text that git could take for an option, a path or magic stays what it is',
      'packages/gateway/src/stages/validate.test.ts#T4: the answer to wrong arguments says what was wrong and what fits',
      'tests/faults/fuzz-servers.test.ts#T4 T8: ',
    ],
    note: '10^5 calls a server are made by hand: bench/fuzz-servers.ts.',
  },
  T5: {
    status: 'partly',
    tests: [
      'tests/scenarios/golden-tools.test.ts#T5: the published tools of ',
      'packages/tool-lint/src/lint-servers.test.ts#T5: a rule finds',
      'tests/scenarios/tools-lint.test.ts#T5: our own servers pass',
    ],
    note: 'Missing: servers that are reached over HTTP.',
  },
  T6: {
    status: 'done',
    tests: [
      'packages/servers/fs-read/src/main.test.ts#T6: reads many files in one call, with digests, encodings and lines',
      'packages/servers/fs-read/src/main.test.ts#T6: pages put together are the whole search, each match once',
      'packages/servers/fs-read/src/main.test.ts#T6: say of many files in one call what they are',
      'packages/servers/fs-write/src/main.test.ts#T6: many edits are made together or not at all',
      'packages/servers/fs-write/src/apply-patch.test.ts#T6 T9: one patch changes, makes and deletes files as git apply does; a dry run writes nothing',
    ],
  },
  T7: {
    status: 'partly',
    tests: [
      'packages/gateway/src/head-and-tail.test.ts#T7: a cut text fits, keeps both ends, and has no half characters',
      'packages/servers/git-read/src/main.test.ts#T7: long outputs come by pages that lose no line',
      'packages/gateway/src/scenarios/servers.test.ts#T7: our own servers speak the 2026-07-28 era, with the call id and levels of failure',
      'packages/servers/fs-read/src/main.test.ts#T7: a small image is shown as one; what cannot be shown is linked as a resource',
    ],
    note: 'Missing: images and resource links of other servers than fs-read.',
  },
  T8: {
    status: 'done',
    tests: [
      'packages/agent/src/run-graph.repair.test.ts#T8: retryable failures are tried again, a bounded number of times',
      'packages/contracts/src/contracts.test.ts#T8: every failure carries a level, a code and no stack trace',
      'packages/tool-server/src/serve-http.test.ts#T8: calls over the limit are refused as retryable, at once, and the others go on',
    ],
  },
  T9: {
    status: 'partly',
    tests: [
      'packages/gateway/src/scenarios/lives.test.ts#T9: a dry run says what would happen, does nothing, and leaves the call itself to be made',
      'packages/servers/fs-write/src/move-files.test.ts#T6 T9: many files move in one call, bytes and mode kept; a dry run says just that',
      'packages/servers/git-write/src/main.test.ts#T9: each dry run says what would happen, and not a byte changes; then the same call does it',
      'packages/servers/exec/src/main.test.ts#T9: a dry run says what would be run and runs nothing',
      'packages/servers/http/src/main.test.ts#T9: a dry run shows the request with names of secrets and sends nothing',
    ],
    note: 'fs-write, git-write, exec and http.',
  },
  T10: {
    status: 'done',
    tests: [
      'packages/gateway/src/policy/command-rules.test.ts#T10: argument vectors that start a shell or evaluate text are found, at any depth',
      'packages/sandbox/src/abuse.test.ts#T10: /tmp, /dev/shm and single files have a size',
      'packages/contracts/src/parse-command.test.ts#T10: a command of a person has typed places for values',
      'packages/checks/src/commands/detect-commands.test.ts#T10: scripts of a package.json are commands',
      'packages/servers/exec/src/commands/fill-command.test.ts#T10: whatever is given, the own words stay and no value reads as an option',
      'packages/servers/exec/src/commands.test.ts#T10: a job is read while it runs, waited for, and stopped with all that it started',
      'packages/servers/exec/src/commands.test.ts#T10: without a word of the person there is no shell',
      'tests/scenarios/commands.test.ts#T10 G3: an agent runs commands of the repository and of the person',
      'packages/servers/exec/src/jobs/job-output.test.ts#T10: control sequences are gone and progress bars are folded',
    ],
  },
  T11: {
    status: 'partly',
    tests: [
      'packages/servers/knowledge/src/main.test.ts#T11: finds by words, parts of names and their endings, and shows lines and symbols',
      'packages/servers/knowledge/src/main.test.ts#T11: finds Chinese by words, by one character, and in GBK',
      'packages/servers/knowledge/src/main.test.ts#T11: gives every place in order, page by page, and what is not UTF-8 too',
      'packages/servers/knowledge/src/main.test.ts#T11: the map begins with what others mention',
      'packages/servers/knowledge/src/main.test.ts#T11: what changes, appears and goes between two calls is seen',
    ],
    note: 'The server is not started by runs yet.',
  },
  T12: {
    status: 'partly',
    tests: [
      'packages/gateway/src/policy/host-rules.test.ts#T12: loopback, private, link-local and metadata addresses are found in every spelling that URLs have',
      'packages/servers/http/src/network/perform-request.test.ts#T12: a name is resolved once, and what it leads to later does not matter',
      'packages/servers/http/src/network/perform-request.test.ts#T12: redirects are judged as calls of their own; what is not allowed is not asked',
      'packages/servers/http/src/rules/rules.test.ts#T12: whatever passes has the host that is written in it, and no rule for one host lets another one pass',
      'packages/servers/http/src/main.test.ts#T12: no form of a secret is in anything that comes back, and the host gets it',
      'packages/servers/http/src/openapi/api-tools.test.ts#T12: chosen operations become tools with strict schemas',
    ],
    note: 'Missing: the server is not part of runs yet.',
  },
  T13: open,
  G1: {
    status: 'partly',
    tests: [
      'tests/scenarios/model-runs.test.ts#A4 T1 G1: a model fixes a bug in two files by tool calls, and the diff is verified',
      'packages/gateway/src/stages/approval.test.ts#G1: an approval for one call, tool or argument never lets another one pass',
    ],
    note: 'Missing: nothing known; the cache stage is off in the product (docs/decisions/0007).',
  },
  G2: open,
  G3: {
    status: 'partly',
    tests: [
      'packages/gateway/src/approval-need.test.ts#G3: who is asked for what',
      'packages/gateway/src/catalog/derive-tier.test.ts#G3: a free text parameter for a command makes an unknown tool dangerous',
    ],
    note: 'Missing: grants by rule from the command line, project files.',
  },
  G4: {
    status: 'partly',
    tests: [
      'packages/gateway/src/scenarios/servers.test.ts#G4: a change that a server keeps quiet about is seen when the tools are listed again',
      'packages/gateway/src/stages/resolve.test.ts#G4: a pin covers every field that a model sees; a change blocks, and going back does not unblock',
    ],
    note: 'Missing: pins that outlive a process, operator lists, reviewed trust.',
  },
  G5: {
    status: 'partly',
    tests: [
      'packages/gateway/src/scenarios/servers.test.ts#G5: definitions of third-party servers that address the model are refused, in English and Chinese',
    ],
    note: 'Missing: scanning on demand.',
  },
  G6: {
    status: 'partly',
    tests: [
      'tests/scenarios/fix-a-bug.test.ts#A6 G6: --apply applies a verified diff, and says so',
      'tests/scenarios/model-runs.test.ts#G6 T3 G8: an instruction hidden in a file, obeyed: nothing is read, nothing is sent, all is audited',
      'packages/gateway/src/scenarios/http-server.test.ts#G6 T12: the allow-list of the server is no word of the user',
    ],
    note: 'Basic but enforced for the sinks that exist. Missing: labels on memory, summaries and hand-offs, which do not exist yet.',
  },
  G7: {
    status: 'partly',
    tests: [
      'packages/agent/src/prompt.test.ts#G7: content cannot forge the end of its block',
      'packages/gateway/src/scan/mark-external.test.ts#G7: content cannot end its block or open another',
    ],
    note: 'Missing: documents with hidden text; the reader agent.',
  },
  G8: {
    status: 'partly',
    tests: [
      'tests/faults/kill-in-exec.test.ts#F7 G8: kill -9 in the middle of a check: its whole tree dies, and the run resumes to the same diff',
      'tests/scenarios/escapes.test.ts#T3 G8 F9: through the real processes every way out is stopped, and nothing is left running',
    ],
    note: 'Linux. Missing: macOS, containers, the proxy with an allow-list.',
  },
  G9: {
    status: 'partly',
    tests: ['packages/gateway/src/stages/limits-and-breaker.test.ts#G9: limits are per user'],
    note: 'Missing: `capstan calibrate`.',
  },
  G10: {
    status: 'partly',
    tests: [
      'packages/gateway/src/scenarios/servers.test.ts#G10: a dead server fails only its own calls, is left alone after failures in a row, and starts again',
      'packages/gateway/src/stages/limits-and-breaker.test.ts#G10: nobody is asked about a server that is down',
    ],
    note: 'Missing: declared fall-backs.',
  },
  G11: {
    status: 'partly',
    tests: [
      'tests/scenarios/escapes.test.ts#G11: audit verify finds a changed row, and passes an unchanged trail',
      'tests/scenarios/approve.test.ts#A12: a run that waits at its own prompt goes on when it is answered from another terminal',
      'packages/agent/src/run-graph.model.test.ts#G11: an edit is made with the text that was meant, though the log is redacted',
    ],
    note: 'Missing: anchoring outside the data folder: an older copy of the whole folder is not noticed.',
  },
  G12: open,
  G13: {
    status: 'partly',
    tests: [
      'packages/gateway/src/stages/policy.test.ts#G13: a tool that an agent did not declare is refused even when its server offers it',
    ],
    note: 'Missing: hand-offs.',
  },
  G14: {
    status: 'partly',
    tests: ['packages/gateway/src/stages/cache.test.ts#G14: failures are not kept'],
    note: 'Missing: similarity caching.',
  },
} satisfies Partial<Record<RequirementId, Requirement>>;
