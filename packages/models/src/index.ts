export { type ChatModelOptions, createChatModel } from './create-chat-model.ts';
export { type ScriptedModel, startScriptedModel } from './scripted/start-scripted-model.ts';
