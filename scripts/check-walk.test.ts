import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { checkWalk } from './check-walk.ts';
import { manifest, plantTree, rootManifest } from './checks/planted-tree.ts';

const clean: Record<string, unknown> = {
  'package.json': rootManifest,
  'apps/cli/package.json': manifest('cli', 8),
  'packages/orchestration/package.json': manifest('orchestration', 6),
  'packages/agent/package.json': manifest('agent', 4),
  'packages/gateway/package.json': manifest('gateway', 4),
  'apps/cli/src/run.ts': "import { startRun } from '@capstan/orchestration';\nstartRun();\n",
  'packages/orchestration/src/index.ts': "export { startRun } from './start-run.ts';\n",
  'packages/orchestration/src/start-run.ts':
    "import { admitRun } from './admit-run.ts';\nexport function startRun() { admitRun(); }\n",
  'packages/orchestration/src/admit-run.ts':
    "import { driveRun } from './drive-run.ts';\nexport async function admitRun() { return driveRun(); }\n",
  'packages/orchestration/src/drive-run.ts':
    "import { runGraph } from '@capstan/agent';\nexport const driveRun = () => runGraph();\n",
  'packages/agent/src/run-graph.ts': 'export function runGraph() {}\n',
  'packages/agent/src/nodes/execute.ts': "import { performCall } from '../perform-call.ts';\nperformCall();\n",
  'packages/agent/src/perform-call.ts': 'export function performCall(deps: any) { return deps.gateway.callTool(); }\n',
  'packages/gateway/src/call-tool.ts': 'export function callTool() {}\n',
  'packages/gateway/src/stages/execute.ts': "import { dispatch } from '../dispatch.ts';\ndispatch();\n",
  'packages/gateway/src/dispatch.ts': 'export function dispatch(client: any) { return client.callTool(); }\n',
};

function problemsWith(context: TestContext, planted: Record<string, unknown>): string[] {
  return checkWalk(plantTree(context, { ...clean, ...planted }));
}

test('a whole walk has no problems', (context) => {
  assert.deepEqual(problemsWith(context, {}), []);
});

const violations: Record<string, { planted: Record<string, string>; problem: RegExp }> = {
  'a hop that is called from elsewhere': {
    planted: { 'apps/cli/src/short-cut.ts': "import { driveRun } from '@capstan/orchestration';\ndriveRun();" },
    problem: /^apps\/cli\/src\/short-cut\.ts:2: driveRun is called only from/,
  },
  'a hop that is called through a port from elsewhere': {
    planted: { 'packages/agent/src/nodes/plan.ts': 'export const plan = (deps: any) => deps.gateway.callTool();' },
    problem: /^packages\/agent\/src\/nodes\/plan\.ts:1: callTool is called only from/,
  },
  'a hop that is exported twice': {
    planted: { 'packages/gateway/src/second.ts': 'export const dispatch = () => 1;' },
    problem: /^packages\/gateway\/src\/second\.ts:1: dispatch is exported by/,
  },
  'a hop that is missing': {
    planted: { 'packages/agent/src/run-graph.ts': 'export function runAnything() {}' },
    problem: /^packages\/agent\/src\/run-graph\.ts does not export runGraph once$/,
  },
  'a hop that its predecessor does not call': {
    planted: { 'packages/gateway/src/stages/execute.ts': 'export const execute = 1;' },
    problem: /^packages\/gateway\/src\/stages\/execute\.ts does not call dispatch$/,
  },
  'a hop that is imported under another name': {
    planted: { 'apps/cli/src/other.ts': "import { admitRun as other } from '@capstan/orchestration';\nother();" },
    problem: /^apps\/cli\/src\/other\.ts:1: admitRun keeps its name/,
  },
};

for (const [violation, { planted, problem }] of Object.entries(violations)) {
  test(`${violation} is found`, (context) => {
    const found = problemsWith(context, planted);
    assert.equal(found.length, 1, found.join('\n'));
    assert.match(found[0] ?? '', problem);
  });
}

test('tests may call any hop', (context) => {
  assert.deepEqual(problemsWith(context, { 'packages/gateway/src/call-tool.test.ts': 'callTool();' }), []);
});
