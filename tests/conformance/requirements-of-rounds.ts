import assert from 'node:assert/strict';
import { type StdioRequirement, textOf } from './requirement.ts';
import { hostAnswers, type StdioPeer } from './stdio-peer.ts';

type Result = Record<string, unknown>;

/** The keys and methods that a result asks the host for. */
function askedOf(result: Result): Record<string, string> {
  assert.equal(result.resultType, 'input_required');
  const requests = (result.inputRequests ?? {}) as Record<string, { method: string }>;
  return Object.fromEntries(Object.entries(requests).map(([key, { method }]) => [key, method]));
}

/** What the host sends with the next round: its answers, and the state as it came. */
function nextRound(result: Result): Result {
  const answers = Object.entries(askedOf(result)).map(([key, method]) => [key, hostAnswers[method]]);
  return { inputResponses: Object.fromEntries(answers), requestState: result.requestState };
}

/** A tool that asks for one thing, and is done when it has it. */
function oneRound(scenario: string, tool: string, method: string, said: RegExp): StdioRequirement {
  return {
    scenario,
    check: async (peer) => {
      const first = await peer.call(tool);
      assert.deepEqual(Object.values(askedOf(first)), [method]);
      const last = await peer.call(tool, {}, nextRound(first));
      assert.notEqual(last.resultType, 'input_required');
      assert.match(textOf(last), said);
    },
  };
}

const asksName = 'test_input_required_result_elicitation';

async function asksAgain(peer: StdioPeer, inputResponses: Result): Promise<void> {
  const first = await peer.call(asksName);
  const { requestState } = first;
  const again = await peer.call(asksName, {}, { inputResponses, requestState });
  assert.deepEqual(askedOf(again), { user_name: 'elicitation/create' });
}

/** What 2026-07-28 has beside: requests that stand alone, and results that ask for more. */
export const roundRequirements: readonly StdioRequirement[] = [
  {
    scenario: 'server-stateless',
    check: async (peer) => {
      const discovered = await peer.result('server/discover');
      assert.deepEqual(discovered.supportedVersions, ['2026-07-28']);
      const meta = peer.meta();
      for (const gone of ['initialize', 'ping', 'logging/setLevel', 'resources/subscribe', 'no/such/method']) {
        assert.equal((await peer.error(gone)).code, -32_601, gone);
      }
      const { 'io.modelcontextprotocol/clientCapabilities': _, ...without } = meta;
      assert.equal((await peer.error('tools/list', {}, without)).code, -32_602);
      const other = { ...meta, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' };
      assert.equal((await peer.error('tools/list', {}, other)).code, -32_022);
      const missing = await peer.error('tools/call', { name: 'test_missing_capability' }, peer.meta({}));
      assert.deepEqual([missing.code, missing.data], [-32_021, { requiredCapabilities: { sampling: {} } }]);
      await peer.call('test_logging_tool');
      assert.ok(!peer.received.some(({ method }) => method === 'notifications/message'));
    },
  },
  {
    scenario: 'caching',
    check: async (peer) => {
      for (const method of ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list']) {
        const { ttlMs, cacheScope } = await peer.result(method);
        assert.ok(typeof ttlMs === 'number' && ttlMs >= 0, method);
        assert.ok(cacheScope === 'private' || cacheScope === 'public', method);
      }
    },
  },
  {
    scenario: 'sep-2164-resource-not-found',
    check: async (peer) => {
      const error = await peer.error('resources/read', { uri: 'test://nonexistent' });
      assert.deepEqual([error.code, error.data], [-32_602, { uri: 'test://nonexistent' }]);
    },
  },
  oneRound('input-required-result-basic-elicitation', asksName, 'elicitation/create', /Hello, Alice!/),
  oneRound(
    'input-required-result-basic-sampling',
    'test_input_required_result_sampling',
    'sampling/createMessage',
    /Paris/,
  ),
  oneRound(
    'input-required-result-basic-list-roots',
    'test_input_required_result_list_roots',
    'roots/list',
    /test\/root/,
  ),
  oneRound(
    'input-required-result-request-state',
    'test_input_required_result_request_state',
    'elicitation/create',
    /state-ok/,
  ),
  {
    scenario: 'input-required-result-multiple-input-requests',
    check: async (peer) => {
      const first = await peer.call('test_input_required_result_multiple_inputs');
      assert.equal(Object.keys(askedOf(first)).length, 3);
      const last = await peer.call('test_input_required_result_multiple_inputs', {}, nextRound(first));
      for (const said of [/Alice/, /Paris/, /test\/root/]) assert.match(textOf(last), said);
    },
  },
  {
    scenario: 'input-required-result-multi-round',
    check: async (peer) => {
      const tool = 'test_input_required_result_multi_round';
      const first = await peer.call(tool);
      const second = await peer.call(tool, {}, nextRound(first));
      assert.deepEqual([Object.keys(askedOf(first)), Object.keys(askedOf(second))], [['step1'], ['step2']]);
      assert.notEqual(first.requestState, second.requestState);
      const inputResponses = { step2: { action: 'accept', content: { color: 'green' } } };
      const last = await peer.call(tool, {}, { inputResponses, requestState: second.requestState });
      assert.match(textOf(last), /Alice likes green/);
    },
  },
  {
    scenario: 'input-required-result-missing-input-response',
    check: (peer) => asksAgain(peer, { other: { action: 'accept', content: {} } }),
  },
  {
    scenario: 'input-required-result-validate-input',
    check: (peer) => asksAgain(peer, { user_name: { action: 'accept', content: { name: 7 } } }),
  },
  {
    scenario: 'input-required-result-non-tool-request',
    check: async (peer) => {
      const name = 'test_input_required_result_prompt';
      const first = await peer.result('prompts/get', { name });
      const inputResponses = { user_context: { action: 'accept', content: { context: 'tests' } } };
      const last = await peer.result('prompts/get', { name, inputResponses, requestState: first.requestState });
      assert.match(JSON.stringify(last.messages), /Context: tests/);
    },
  },
  {
    scenario: 'input-required-result-result-type',
    check: async (peer) => {
      assert.equal((await peer.call(asksName)).resultType, 'input_required');
      assert.equal((await peer.call('test_simple_text')).resultType, 'complete');
    },
  },
  {
    scenario: 'input-required-result-unsupported-methods',
    check: async (peer) => {
      for (const method of ['tools/list', 'prompts/list', 'resources/list', 'server/discover']) {
        assert.equal((await peer.result(method)).resultType, 'complete', method);
      }
    },
  },
  {
    scenario: 'input-required-result-tampered-state',
    check: async (peer) => {
      const first = await peer.call('test_input_required_result_tampered_state');
      const next = nextRound(first);
      const state = String(next.requestState);
      const body = Buffer.from(state.split('.')[1] ?? '', 'base64url').toString();
      const forged = Buffer.from(body.replace('"answers":{}', '"answers":{"confirm":1}')).toString('base64url');
      for (const requestState of [`${state}x`, state.slice(1), state.replace(/\.[^.]+\./, `.${forged}.`)]) {
        const name = 'test_input_required_result_tampered_state';
        const error = await peer.error('tools/call', { name, arguments: {}, ...next, requestState });
        assert.equal(error.code, -32_602);
      }
    },
  },
  {
    scenario: 'input-required-result-capability-check',
    check: async (peer) => {
      const params = { name: 'test_input_required_result_capabilities', arguments: {} };
      const sampling = await peer.result('tools/call', params, peer.meta({ sampling: {} }));
      assert.deepEqual(Object.values(askedOf(sampling)), ['sampling/createMessage']);
      const person = await peer.result('tools/call', params, peer.meta({ elicitation: {} }));
      assert.deepEqual(Object.values(askedOf(person)), ['elicitation/create']);
      assert.match(textOf(await peer.result('tools/call', params, peer.meta({}))), /does not offer/);
    },
  },
  {
    scenario: 'input-required-result-ignore-extra-params',
    check: async (peer) => {
      const inputResponses = { user_name: hostAnswers['elicitation/create'], extra: { action: 'accept', content: {} } };
      assert.match(textOf(await peer.call(asksName, {}, { inputResponses })), /Hello, Alice!/);
    },
  },
];
