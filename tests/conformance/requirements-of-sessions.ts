import assert from 'node:assert/strict';
import { type StdioRequirement, textOf } from './requirement.ts';
import type { StdioPeer } from './stdio-peer.ts';

/** Calls a tool and gives the requests that it made of the host meanwhile, and its text. */
async function asksHost(peer: StdioPeer, tool: string, input: Record<string, unknown> = {}) {
  const before = peer.received.length;
  const text = textOf(await peer.call(tool, input));
  const asked = peer.received.slice(before).filter(({ id, method }) => id !== undefined && method !== undefined);
  return { asked, text };
}

/** The properties of the form that a tool shows to the host's person. */
async function formOf(peer: StdioPeer, tool: string): Promise<Record<string, Record<string, unknown>>> {
  const { asked, text } = await asksHost(peer, tool);
  assert.match(text, /Elicitation completed: action=accept/);
  const schema = asked[0]?.params?.requestedSchema as { properties: Record<string, Record<string, unknown>> };
  return schema.properties;
}

/** What 2025-11-25 has beside: a connection with a beginning, and requests of the server while it works. */
export const sessionRequirements: readonly StdioRequirement[] = [
  {
    scenario: 'server-initialize',
    check: async ({ initialized }) => {
      assert.equal(initialized.protocolVersion, '2025-11-25');
      assert.deepEqual(initialized.serverInfo, { name: 'conformance', version: '1.0.0' });
      const { resources } = initialized.capabilities as Record<string, unknown>;
      assert.deepEqual(resources, { subscribe: true, listChanged: true });
    },
  },
  { scenario: 'ping', check: async (peer) => assert.deepEqual(await peer.result('ping'), {}) },
  {
    scenario: 'logging-set-level',
    check: async (peer) => assert.deepEqual(await peer.result('logging/setLevel', { level: 'info' }), {}),
  },
  {
    scenario: 'tools-call-with-logging',
    check: async (peer) => {
      await peer.result('logging/setLevel', { level: 'debug' });
      await peer.call('test_tool_with_logging');
      const lines = peer.received.filter(({ method }) => method === 'notifications/message');
      assert.deepEqual(
        lines.map(({ params }) => [params?.level, params?.data]),
        [
          ['info', 'Tool execution started'],
          ['info', 'Tool processing data'],
          ['info', 'Tool execution completed'],
        ],
      );
    },
  },
  {
    scenario: 'tools-call-sampling',
    check: async (peer) => {
      const { asked, text } = await asksHost(peer, 'test_sampling', { prompt: 'Test prompt' });
      assert.equal(asked[0]?.method, 'sampling/createMessage');
      assert.match(text, /LLM response: Paris/);
    },
  },
  {
    scenario: 'tools-call-elicitation',
    check: async (peer) => {
      const { asked, text } = await asksHost(peer, 'test_elicitation', { message: 'Who are you?' });
      assert.equal(asked[0]?.method, 'elicitation/create');
      assert.match(text, /action=accept, content=.*alice/);
    },
  },
  {
    scenario: 'elicitation-sep1034-defaults',
    check: async (peer) => {
      const properties = await formOf(peer, 'test_elicitation_sep1034_defaults');
      const defaults = Object.values(properties).map((property) => property.default);
      assert.deepEqual(defaults, ['John Doe', 30, 95.5, 'active', true]);
    },
  },
  {
    scenario: 'elicitation-sep1330-enums',
    check: async (peer) => {
      const form = await formOf(peer, 'test_elicitation_sep1330_enums');
      assert.deepEqual(Object.keys(form), [
        'untitledSingle',
        'titledSingle',
        'legacyEnum',
        'untitledMulti',
        'titledMulti',
      ]);
      assert.deepEqual(form.legacyEnum?.enumNames, ['Option One', 'Option Two', 'Option Three']);
    },
  },
  {
    scenario: 'resources-subscribe',
    check: async (peer) => {
      const uri = 'test://watched-resource';
      assert.deepEqual(await peer.result('resources/subscribe', { uri }), {});
      await peer.call('test_trigger_resource_change');
      assert.ok(peer.received.some(({ method, params }) => method?.endsWith('/updated') && params?.uri === uri));
    },
  },
  {
    scenario: 'resources-unsubscribe',
    check: async (peer) => {
      const uri = 'test://watched-resource';
      assert.deepEqual(await peer.result('resources/unsubscribe', { uri }), {});
      const before = peer.received.length;
      await peer.call('test_trigger_resource_change');
      await peer.result('ping');
      assert.ok(!peer.received.slice(before).some(({ method }) => method?.endsWith('/updated')));
    },
  },
];
