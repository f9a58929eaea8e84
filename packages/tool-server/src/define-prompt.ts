import type { Failure } from '@capstan/contracts';
import type { z } from 'zod';
import type { PendingReply, ReplyPart } from './define-tool.ts';
import type { RequestContext } from './request-context.ts';

/** One message of a prompt: text, or an image, audio or resource. */
export interface PromptMessage {
  readonly role: 'user' | 'assistant';
  readonly content: string | ReplyPart;
}

export type PromptReply =
  | { readonly messages: readonly PromptMessage[] }
  | { readonly failure: Failure }
  | PendingReply;

/** Values that fit what was typed of an argument, best first; `given` has the other arguments so far. */
export type Complete = (typed: string, given: Readonly<Record<string, string>>) => Promise<readonly string[]>;

/** A prompt as a server declares it: people call it by its name (requirement A11). */
export interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Of texts: that is all that hosts send. Each one described, with an example. */
  readonly input: z.ZodObject;
  /** By the name of the argument. */
  readonly complete?: Readonly<Record<string, Complete>>;
  handler(input: Readonly<Record<string, unknown>>, context: RequestContext): Promise<PromptReply>;
}

/** Ties a handler to its arguments: it sees only values that passed them. */
export function definePrompt<Schema extends z.ZodObject>(
  prompt: Omit<Prompt, 'input' | 'handler' | 'complete'> & {
    readonly input: Schema;
    readonly complete?: { readonly [Name in keyof z.input<Schema>]?: Complete };
    handler(input: z.output<Schema>, context: RequestContext): Promise<PromptReply>;
  },
): Prompt {
  const { complete, ...rest } = prompt;
  const completions = complete === undefined ? {} : { complete: complete as Readonly<Record<string, Complete>> };
  return { ...rest, ...completions, handler: (input, context) => prompt.handler(input as z.output<Schema>, context) };
}
