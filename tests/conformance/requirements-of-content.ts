import assert from 'node:assert/strict';
import { isSpecType } from '@modelcontextprotocol/client';
import { partsOf, type StdioRequirement, textOf } from './requirement.ts';
import type { StdioPeer } from './stdio-peer.ts';

/** A requirement on the content of one tool's result. */
function content(scenario: string, tool: string, types: readonly string[]): StdioRequirement {
  return {
    scenario,
    check: async (peer) => {
      const result = await peer.call(tool);
      assert.ok(isSpecType.CallToolResult(result));
      assert.deepEqual(
        partsOf(result).map(({ type }) => type),
        types,
      );
      for (const part of partsOf(result)) assert.ok(isSpecType.ContentBlock(part), JSON.stringify(part));
    },
  };
}

async function messages(peer: StdioPeer, name: string, input: Record<string, unknown> = {}): Promise<string> {
  const result = await peer.result('prompts/get', { name, arguments: input });
  assert.ok(isSpecType.GetPromptResult(result));
  return JSON.stringify(result.messages);
}

async function contents(peer: StdioPeer, uri: string): Promise<Record<string, unknown>> {
  const result = await peer.result('resources/read', { uri });
  assert.ok(isSpecType.ReadResourceResult(result));
  const [first] = result.contents as Record<string, unknown>[];
  assert.equal(first?.uri, uri);
  return first;
}

/** What both eras have to do. */
export const contentRequirements: readonly StdioRequirement[] = [
  {
    scenario: 'tools-list',
    check: async (peer) => {
      const result = await peer.result('tools/list');
      assert.ok(isSpecType.ListToolsResult(result));
      for (const tool of result.tools as Record<string, unknown>[]) {
        assert.ok(typeof tool.description === 'string' && typeof tool.inputSchema === 'object', String(tool.name));
      }
    },
  },
  content('tools-call-simple-text', 'test_simple_text', ['text']),
  content('tools-call-image', 'test_image_content', ['image']),
  content('tools-call-audio', 'test_audio_content', ['audio']),
  content('tools-call-embedded-resource', 'test_embedded_resource', ['resource']),
  content('tools-call-mixed-content', 'test_multiple_content_types', ['text', 'image', 'resource']),
  {
    scenario: 'tools-call-error',
    check: async (peer) => {
      const result = await peer.call('test_error_handling');
      assert.equal(result.isError, true);
      assert.match(textOf(result), /intentionally returns an error/);
    },
  },
  {
    scenario: 'tools-call-with-progress',
    check: async (peer) => {
      const params = { name: 'test_tool_with_progress', arguments: {}, _meta: { progressToken: 'p-1' } };
      await peer.result('tools/call', params);
      const progress = peer.received.filter(({ params: sent }) => sent?.progressToken === 'p-1');
      const steps = progress.map(({ params: sent }) => Number(sent?.progress));
      assert.deepEqual(steps, [1, 2, 3]);
    },
  },
  {
    // Over HTTP these are streams; here, calls that are open at once on one connection.
    scenario: 'server-sse-multiple-streams',
    check: async (peer) => {
      const results = await Promise.all([1, 2, 3].map(() => peer.call('test_tool_with_progress')));
      assert.equal(results.length, 3);
    },
  },
  {
    scenario: 'completion-complete',
    check: async (peer) => {
      const ref = { type: 'ref/prompt', name: 'test_prompt_with_arguments' };
      const result = await peer.result('completion/complete', { ref, argument: { name: 'arg1', value: 'par' } });
      assert.ok(isSpecType.CompleteResult(result));
      assert.deepEqual((result.completion as { values: unknown }).values, ['paris', 'park', 'party']);
    },
  },
  {
    scenario: 'resources-list',
    check: async (peer) => {
      const result = await peer.result('resources/list');
      assert.ok(isSpecType.ListResourcesResult(result));
      for (const { uri, name } of result.resources as Record<string, unknown>[]) assert.ok(uri && name);
    },
  },
  {
    scenario: 'resources-read-text',
    check: async (peer) => {
      assert.equal((await contents(peer, 'test://static-text')).mimeType, 'text/plain');
    },
  },
  {
    scenario: 'resources-read-binary',
    check: async (peer) => {
      assert.match(String((await contents(peer, 'test://static-binary')).blob), /^[A-Za-z0-9+/]+=*$/);
    },
  },
  {
    scenario: 'resources-templates-read',
    check: async (peer) => {
      assert.match(String((await contents(peer, 'test://template/123/data')).text), /123/);
    },
  },
  {
    scenario: 'prompts-list',
    check: async (peer) => {
      const result = await peer.result('prompts/list');
      assert.ok(isSpecType.ListPromptsResult(result));
      assert.ok((result.prompts as unknown[]).length >= 4);
    },
  },
  {
    scenario: 'prompts-get-simple',
    check: async (peer) => assert.match(await messages(peer, 'test_simple_prompt'), /"type":"text"/),
  },
  {
    scenario: 'prompts-get-with-args',
    check: async (peer) => {
      const said = await messages(peer, 'test_prompt_with_arguments', { arg1: 'hello', arg2: 'world' });
      assert.match(said, /arg1='hello', arg2='world'/);
    },
  },
  {
    scenario: 'prompts-get-embedded-resource',
    check: async (peer) => {
      const resourceUri = 'test://example-resource';
      const said = await messages(peer, 'test_prompt_with_embedded_resource', { resourceUri });
      assert.match(said, /"resource":\{"uri":"test:\/\/example-resource"/);
    },
  },
  {
    scenario: 'prompts-get-with-image',
    check: async (peer) => assert.match(await messages(peer, 'test_prompt_with_image'), /"mimeType":"image\/png"/),
  },
];
