import { longestDescription } from '@capstan/content-scan';
import type { WireTool } from '@capstan/contracts';
import type { LintedServer } from '../linted-server.ts';
import { type Found, type Rule, toolRule } from '../rule.ts';
import { mentionsTool } from '../text/mentions-tool.ts';
import { nameWords } from '../text/name-words.ts';
import { textWeight, textWords } from '../text/text-words.ts';

/** Less than about eight English words cannot say what, when, limits and neighbour. Letters: see `textWeight`. */
const shortest = 40;
/** The words of a description that its name does not have. */
const fewestOwnWords = 2;

const saysWhen =
  /\b(?:use (?:it|this|these|for|when|only|to|before|after)|used (?:to|for|when|before|after)|when(?:ever)?|before|after|useful|intended|ideal|best for|prefer|call (?:it|this)|if you|in case|in order to|to (?:find|see|check|look|get|read|learn))\b|用于|用来|适用|适合|当[^。；]{0,20}时|之前|之后|以后|如果|需要[^。；]{0,12}时|场景/iu;
const saysLimits =
  /\b(?:not|never|nothing|only|\d+ ?(?:[KM]i?B|bytes|seconds|characters|lines)|per (?:reply|call|page)|at (?:most|least)|up to|max(?:imum)?|min(?:imum)?|limit(?:s|ed)?|no (?:more|longer|network)|cannot|except|exclud\w+|leaves? out|refuse\w*|requires?|must|without|unless|(?:ends|stops|fails?) (?:after|when|if))\b|n't\b|最多|至多|上限|不超过|仅|只|不能|不可|无法|不支持|不会|除外|不含|不包括|必须|限制|最大|至少|以内/iu;
const saysNeighbour =
  /\binstead\b|\brather than\b|\bsee also\b|\bfor [^.;]{2,60} use\b|\buse [^.;]{2,40} (?:for|to|if|when|instead)\b|请用|改用|而不是|请使用|另见|参见|应使用/iu;

/** What a description has to say beside what the tool does (requirement T5). */
const parts: readonly { readonly part: string; says(tool: WireTool, server: LintedServer): boolean }[] = [
  { part: 'when to use it', says: ({ description = '' }) => saysWhen.test(description) },
  { part: 'its limits', says: ({ description = '' }) => saysLimits.test(description) },
  {
    part: 'which other tool to use instead',
    says: (tool, server) => server.tools.length < 2 || namesNeighbour(tool, server),
  },
];

export const descriptionRules: readonly Rule[] = [
  toolRule('description-missing', ({ description }) =>
    isBlank(description)
      ? {
          level: 'error',
          message: 'There is no description: models have to guess from the name.',
          advice: 'Say what it does, when to use it, its limits, and which neighbour to use instead.',
        }
      : undefined,
  ),
  toolRule('description-short', (tool) => {
    const { description = '' } = tool;
    if (isBlank(description) || !isShort(tool)) return undefined;
    return {
      level: 'warning',
      message: `The description is short: "${description.trim()}".`,
      advice: 'Say what it does, when to use it, its limits, and which neighbour to use instead.',
    };
  }),
  toolRule('description-what', (tool) => {
    if (isShort(tool) || ownWords(tool).length >= fewestOwnWords) return undefined;
    return {
      level: 'warning',
      message: 'The description repeats the name and says no more.',
      advice: 'Say what the tool does, with which things, and what comes back.',
    };
  }),
  toolRule('description-parts', (tool, server) => {
    if (isShort(tool)) return undefined;
    const missing = parts.filter(({ says }) => !says(tool, server)).map(({ part }) => part);
    if (missing.length === 0) return undefined;
    return {
      level: 'warning',
      message: `The description does not say ${missing.join(', nor ')}.`,
      advice: `Add it, e.g. "Use it before every edit. Reads 20 files at most, not binary ones. ${neighbourExample(tool, server)}".`,
    };
  }),
  toolRule('description-long', ({ description = '' }, { trust }) =>
    description.length <= longestDescription ? undefined : tooLong(description.length, trust),
  ),
];

function isBlank(description: string | undefined): boolean {
  return description === undefined || description.trim() === '';
}

/** What is missing as a whole, or nearly, is told as that and not in its parts. */
function isShort({ description = '' }: WireTool): boolean {
  return textWeight(description) < shortest;
}

function ownWords({ name, description = '' }: WireTool): string[] {
  const known = new Set(nameWords(name));
  return textWords(description).filter((word) => !known.has(word) && !/^(?:a|an|the|of|to|in|for|tool)$/.test(word));
}

function namesNeighbour({ name, description = '' }: WireTool, { tools }: LintedServer): boolean {
  const others = tools.filter((other) => other.name !== name);
  return saysNeighbour.test(description) || others.some((other) => mentionsTool(description, other.name));
}

function neighbourExample({ name }: WireTool, { tools }: LintedServer): string {
  return `For names only use ${tools.find((other) => other.name !== name)?.name ?? 'list_files'}.`;
}

function tooLong(length: number, trust: LintedServer['trust']): Omit<Found, 'tool'> {
  const isForeign = trust === 'third-party';
  return {
    level: isForeign ? 'error' : 'warning',
    message: `The description has ${length} characters${isForeign ? ': the gateway refuses it' : ''}; ${longestDescription} are enough.`,
    advice: 'Every request to a model carries it: move details to the parameters they belong to, or to the README.',
  };
}
