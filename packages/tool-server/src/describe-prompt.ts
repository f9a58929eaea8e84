import type { z } from 'zod';
import type { Prompt } from './define-prompt.ts';

/** A prompt as it goes over the wire in `prompts/list`. */
export interface PromptListing {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: { name: string; description?: string; required: boolean }[];
}

/** Publishes a prompt: its arguments are the members of its schema. */
export function describePrompt(prompt: Prompt): PromptListing {
  const shape: Readonly<Record<string, z.ZodType>> = prompt.input.shape;
  const members = Object.entries(shape).map(([name, schema]) => {
    const { description } = schema;
    const required = !schema.safeParse(undefined).success;
    return description === undefined ? { name, required } : { name, description, required };
  });
  return { name: prompt.name, title: prompt.title, description: prompt.description, arguments: members };
}
