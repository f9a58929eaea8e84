import type { Requirement } from './requirement.ts';
import type { RequirementId } from './requirement-ids.ts';
import { toolRequirements } from './requirements-of-tools.ts';

const open: Requirement = { status: 'open', tests: [] };

/** What Capstan has to do, by id, and the tests that show it: pure data, checked by scripts/check-requirements.ts. */
export const requirements: Readonly<Record<RequirementId, Requirement>> = {
  ...toolRequirements,
  A1: {
    status: 'done',
    tests: [
      'tests/scenarios/fix-a-bug.test.ts#N1 A1 A6: with no key, two bugs of the example become a verified diff, and apply brings it over',
      'packages/agent/src/run-graph.model.test.ts#A1: a model fixes two files by tool calls, over the real wire',
    ],
  },
  A2: {
    status: 'partly',
    tests: [
      'packages/agent/src/classify-task.test.ts#A2: "',
      'packages/agent/src/run-graph.model.test.ts#A2: the state in a checkpoint stays small, however many messages there are',
    ],
    note: 'Missing: the figure at step 5,000.',
  },
  A3: open,
  A4: {
    status: 'partly',
    tests: [
      'tests/scenarios/model-runs.test.ts#A4 T1 G1: a model fixes a bug in two files by tool calls, and the diff is verified',
      'apps/cli/src/describe-event.test.ts#A4: a claim that no call supports is pointed out',
      'tests/scenarios/monorepo.test.ts#A4: naming a package means its tests, and what is not run is told',
      'packages/checks/src/detect-packages.test.ts#A4: ids are stable and distinct, and fifty packages are the most',
    ],
    note: 'Missing: claims are judged by rules for English and Chinese sentences only.',
  },
  A5: {
    status: 'partly',
    tests: ['packages/agent/src/run-graph.model.test.ts#A5: a question is answered from tool results or not at all'],
    note: 'Answers rest on tool calls. Missing: citations in the text.',
  },
  A6: {
    status: 'partly',
    tests: [
      'tests/scenarios/fix-a-bug.test.ts#A6 G6: --apply applies a verified diff, and says so',
      'packages/workspace/src/apply-changes.test.ts#A6: a checkout that moved on elsewhere is merged',
      'packages/workspace/src/changes/undo-identity.test.ts#A6: apply and then undo is the identity, and what the user does elsewhere in between stays',
      'tests/scenarios/dependencies.test.ts#A6: a suite that writes into a package of node_modules and reads it back',
      'tests/scenarios/dependencies.test.ts#A6: a suite that builds into an ignored dist, and one that imports what was built before',
      'packages/sandbox/src/overlays.test.ts#A6: what is written in memory is gone with the command',
      'tests/scenarios/sessions.test.ts#A6 F7: kill -9 in apply and undo: the state is true, and the next command settles it',
      'packages/workspace/src/checkouts.test.ts#A6: ',
      'packages/workspace/src/plain-folders.test.ts#A6: a folder without git is opened, changed, shown and applied, and gets no .git',
      'packages/workspace/src/pool/workspace-pool.test.ts#A6: the second session takes the copy that was made ahead',
      'packages/workspace/src/hard-checkouts.test.ts#A6: a checkout that changes while it is copied ends in a whole copy of it',
    ],
    note: 'Where overlays do not work, folders that are too large to copy can only be read.',
  },
  A7: {
    status: 'partly',
    tests: [
      'tests/scenarios/golden-requests.test.ts#A7: what a model is asked in ',
      'packages/agent/src/shown-schema.test.ts#A7: a model is shown names, types and descriptions, and no limits',
    ],
    note: 'Missing: summaries, SKILL.md, tool search.',
  },
  A8: {
    status: 'partly',
    tests: [
      'apps/cli/src/model-endpoint.test.ts#A8: without an address and without a key no model is known',
      'apps/cli/src/init/local-models.test.ts#A8: models that a local endpoint offers are found, each once',
      'packages/config/src/load-config.test.ts#A8: the address of the model is what OPENAI_BASE_URL says, unless CAPSTAN_MODEL_URL does',
      'packages/agent/src/run-graph.model.test.ts#A8: a model that fails for good ends the run with its hint',
    ],
    note: 'One OpenAI-compatible model, by flag or configured; elsewhere only after a yes for the repository. Missing: other providers, sizes, fall-back, money.',
  },
  A9: open,
  A10: {
    status: 'done',
    tests: [
      'packages/agent/src/loop-guard.test.ts#A10: four times the same, or back and forth three times, is a loop; progress is none',
      'packages/agent/src/run-graph.model.test.ts#A10: edits that flip back and forth are stopped',
    ],
  },
  A11: open,
  A12: {
    status: 'partly',
    tests: [
      'packages/agent/src/langgraph.test.ts#A12: of two pending questions only the one that was answered goes on, in either order',
      'packages/agent/src/run-graph.model.test.ts#A12: a run that is refused what it needs ends as denied',
      'packages/orchestration/src/await-answers.test.ts#A12: an answer from elsewhere takes the question away from the prompt',
      'tests/scenarios/approve.test.ts#A12: a run that waits at its own prompt goes on when it is answered from another terminal',
      'tests/scenarios/approve.test.ts#A12: a question that nobody answers in time counts as refused',
    ],
    note: 'Approvals from any terminal, waiting and expiry. Missing: stops at any node, notification.',
  },
  A13: {
    status: 'done',
    tests: [
      'packages/agent/src/run-graph.repair.test.ts#A13: a patch that does not pass the final verification is rolled back, and the next one is tried',
      'packages/workspace/src/session-workspace.test.ts#A13: restore brings a snapshot back and removes what appeared since',
    ],
  },
  N1: {
    status: 'partly',
    tests: [
      'tests/scenarios/fix-a-bug.test.ts#N1 A1 A6: with no key, two bugs of the example become a verified diff, and apply brings it over',
      'tests/scenarios/monorepo.test.ts#A4 N1: a bug in one package, shown by the tests of another, is mended where it is',
      'packages/agent/src/classify-task.test.ts#N1: only a task about failing tests is done where none fails',
      'packages/agent/src/classify-phrasings.test.ts#N1: what is not to be done is not asked for: no repair and no change comes of it',
    ],
    note: 'Missing: frameworks other than node:test.',
  },
  N2: {
    status: 'done',
    tests: [
      'packages/servers/repair/src/main.test.ts#N2: localise_fault reproduces and ranks lines, and a repeated call gives the same answer',
    ],
  },
  N3: {
    status: 'partly',
    tests: [
      'packages/agent/src/judge-run.test.ts#N3: unstable tests are set aside and named',
      'packages/agent/src/planners/next-repair-step.test.ts#N3: unstable tests end the run by their own code',
      'packages/agent/src/planners/repair-summary.test.ts#N3: an input on which plausible patches differ is shown, seen from the patch that stays',
      'packages/repair/src/reproduce.test.ts#N3: what one test file leaves in a module or in the process is not seen by the next, as under node:test',
      'packages/repair/src/validate-patches.test.ts#N3: failing files are confirmed first, then those that reach the change, the whole suite for the best alone',
      'packages/repair/src/disabling-patches.test.ts#N3: constants in place of conditions and values, and comparisons with itself, are named',
    ],
    note: 'Missing: step budgets under the slow path.',
  },
  N4: {
    status: 'partly',
    tests: [
      'packages/repair/src/parse-source.test.ts#N4: TypeScript, JSX and CommonJS are read; a syntax error is no module',
    ],
    note: 'node:test in JavaScript and TypeScript. Missing: vitest, jest, mocha, pytest, type errors.',
  },
  C1: open,
  C2: open,
  C3: open,
  C4: open,
  C5: open,
  C6: open,
  C7: open,
  C8: open,
  C9: open,
  B1: open,
  B2: open,
  B3: open,
  S1: {
    status: 'partly',
    tests: [
      'packages/storage/src/processes.test.ts#S1: several processes that create one data folder at once end with one database and one key',
      'packages/storage/src/sqlite-checkpointer.test.ts#S1: threads are apart, and removing one leaves the others',
      'packages/storage/src/migrations/migrate-database.test.ts#S1: a data folder of version',
      'packages/storage/src/migrations/migrate-processes.test.ts#S1: several processes that start at once on a folder of version 1: one migrates',
      'packages/storage/src/garbage/collect-processes.test.ts#S1: two collections at once, beside a process that writes blobs and events',
    ],
    note: 'Missing: many sessions in one process.',
  },
  S2: open,
  S3: {
    status: 'partly',
    tests: [
      'tests/faults/kill-sweep.test.ts#F7 S3: kill -9 before and after event rows, planner',
      'tests/faults/signal-sweep.test.ts#X1 S3: a signal at every phase stops the run with one sentence, and it resumes',
      'tests/faults/sleep.test.ts#S3: a machine that sleeps in the middle of a check and wakes with a clock that has moved on',
      'tests/scenarios/fix-a-bug.test.ts#S3: resuming a run that has ended reports it again and runs nothing',
    ],
    note: 'Missing: servers on another machine.',
  },
  S4: {
    status: 'partly',
    tests: [
      'packages/orchestration/src/keep-lease.test.ts#S4: a lease is renewed in time, and its loss is told once it is known',
      'packages/storage/src/processes.test.ts#S4: several processes want one session: one holds it at a time, each epoch is one unbroken stretch of the log',
    ],
    note: 'Leases with fencing on one machine. Missing: several machines.',
  },
  X1: {
    status: 'partly',
    tests: [
      'apps/cli/src/command-line.test.ts#X1: every command has a help page with an example or its options',
      'apps/cli/src/command-line.test.ts#X1: with --json a failure is one object on standard output, with the same exit code',
      'apps/cli/src/completion/completion.test.ts#X1: bash completes commands, options, their values, choices and ids of sessions',
      'tests/scenarios/sessions.test.ts#X1 A6: sessions are listed, applied and taken back by short names, and each says what comes next',
      'apps/cli/src/trace/recorded-log.test.ts#X1: the tree of a recorded run as lines',
      'tests/scenarios/trace.test.ts#X1: a session can be traced while it runs and after its process was killed',
      'packages/contracts/src/contracts.test.ts#X1: every error code leads to one of the documented exit codes, and none to success',
    ],
    note: 'run, resume, approve, sessions, diff, apply, undo, trace, gc, init, config, doctor, audit, completion. Missing: the other commands.',
  },
  X2: open,
  X3: open,
  X4: open,
  X5: open,
  X6: {
    status: 'partly',
    tests: ['packages/agent/src/run-graph.repair.test.ts#X6: repair understands:'],
    note: 'Missing: console, guides and README in Chinese.',
  },
  O1: open,
  O2: {
    status: 'partly',
    tests: [
      'packages/storage/src/garbage/collect-garbage.test.ts#O2: an old session is archived, all that it owned goes, its audit rows stay and verify, and its log can still be read',
      'packages/storage/src/garbage/plan-removals.test.ts#O2: whatever the limits: nothing in use and no question goes',
      'apps/cli/src/commands/read-retention.test.ts#O2: by default 7 days for what is applied and unchanged, 30 for what is not applied',
    ],
    note: 'Missing: replay. An archive keeps what people could see, not the journal.',
  },
  O3: open,
  O4: open,
  F1: open,
  F2: open,
  F3: open,
  F4: open,
  F5: open,
  F6: open,
  F7: {
    status: 'partly',
    tests: [
      'tests/faults/kill-in-exec.test.ts#F7 G8: kill -9 in the middle of a check: its whole tree dies, and the run resumes to the same diff',
      'tests/faults/storage-full-disk.test.ts#F7 S3:',
      'tests/faults/storage-open-files.test.ts#F7 S3: with',
      'tests/faults/storage-clock.test.ts#F7 S3: the clock is set',
      'tests/faults/storage-damage.test.ts#F7: missing and altered blobs: reading names them and goes on, resume fails clearly, doctor lists them',
    ],
    note: 'Missing: other phases of a larger crew; unknown outcomes in the wild.',
  },
  F8: {
    status: 'partly',
    tests: [
      'packages/gateway/src/stages/approval.test.ts#F8: of 10,000 randomised approvals none is crossed, swapped, lost or used twice',
    ],
    note: 'At chain level on an in-memory session; real storage at lower volume.',
  },
  F9: {
    status: 'partly',
    tests: [
      'tests/scenarios/escapes.test.ts#T3 G8 F9: through the real processes every way out is stopped, and nothing is left running',
      'packages/sandbox/src/attacks.test.ts#F9: stopped:',
    ],
    note: 'Our own list only. The list kept apart is measured elsewhere.',
  },
  F10: {
    status: 'partly',
    tests: [
      'packages/servers/fs-read/src/main.test.ts#F10: swapping files and folders for links leaks nothing through the real process, in 1,000 calls',
      'packages/servers/fs-write/src/main.test.ts#F10: swapping files and folders for links takes no write out, through the real process',
    ],
    note: 'At 100,000 by bench/symlink-race.ts; fewer in the test.',
  },
  F11: open,
  F12: open,
  F13: open,
  F14: open,
  F15: open,
  F16: open,
  F17: open,
  F18: {
    status: 'partly',
    tests: [
      'packages/servers/fs-write/src/main.test.ts#F18: ambiguous, missing, stale and empty edits change nothing and say why',
    ],
    note: 'The edit part, not the process part of the gauntlet.',
  },
};
