import type { ModelMessage, ModelToolCall } from '@capstan/contracts';
import type { BaseMessage } from '@langchain/core/messages';

/** The conversation as LangChain takes it. */
export async function wireMessages(
  messages: readonly ModelMessage[],
  ids: ReadonlyMap<string, string>,
): Promise<BaseMessage[]> {
  const { AIMessage, HumanMessage, SystemMessage, ToolMessage } = await import('@langchain/core/messages');
  const id = (callId: string) => ids.get(callId) ?? callId;
  const convert = (message: ModelMessage): BaseMessage => {
    switch (message.role) {
      case 'system':
        return new SystemMessage(message.text);
      case 'user':
        return new HumanMessage(message.text);
      case 'tool':
        return new ToolMessage({ content: message.text, tool_call_id: id(message.callId) });
      case 'assistant':
        return new AIMessage({ content: message.text, tool_calls: message.calls.map(wireCall) });
    }
  };
  const wireCall = (call: ModelToolCall) => ({
    id: id(call.id),
    name: call.name,
    args: call.arguments,
    type: 'tool_call' as const,
  });
  return messages.map(convert);
}
