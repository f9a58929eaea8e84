import type { KeyPath } from './key-path.ts';

/** Which of two values of a key is the tighter one, and so what a project's file can do with it. */
export type Tightening =
  /** Values from the loosest to the tightest. */
  | { readonly kind: 'order'; readonly values: readonly string[] }
  /** The smaller number. */
  | { readonly kind: 'smaller' }
  /** A list that forbids: entries are added. */
  | { readonly kind: 'union' }
  /** A list that allows: entries that both have stay; a list that is not set allows all. */
  | { readonly kind: 'intersection' }
  /** A project's file that has the key is refused. */
  | { readonly kind: 'user-only'; readonly why: string };

const whereCodeGoes = 'it decides where code and keys are sent';
const whatIsRun = 'it says what else can be run; what a repository brings along is found in its own manifests';
const ownData = "it decides what is deleted from the person's data";

/** For each key, which values are tighter. A key without an entry does not compile. */
export const tightening: Readonly<Record<KeyPath, Tightening>> = {
  'model.name': { kind: 'user-only', why: whereCodeGoes },
  'model.url': { kind: 'user-only', why: whereCodeGoes },
  'model.keyVariable': { kind: 'user-only', why: whereCodeGoes },
  approvals: { kind: 'order', values: ['contained', 'strict'] },
  'budget.minutes': { kind: 'smaller' },
  'budget.steps': { kind: 'smaller' },
  'budget.modelRequests': { kind: 'smaller' },
  'budget.tokens': { kind: 'smaller' },
  'budget.failures': { kind: 'smaller' },
  'checks.minutes': { kind: 'smaller' },
  'checks.only': { kind: 'intersection' },
  'checks.deny': { kind: 'union' },
  'commands.templates': { kind: 'user-only', why: whatIsRun },
  'commands.only': { kind: 'intersection' },
  'commands.deny': { kind: 'union' },
  'commands.shell': { kind: 'order', values: ['ask', 'off'] },
  protect: { kind: 'union' },
  'sandbox.require': { kind: 'order', values: ['any', 'bubblewrap'] },
  'retention.days': { kind: 'user-only', why: ownData },
  'retention.unappliedDays': { kind: 'user-only', why: ownData },
  'retention.sessions': { kind: 'user-only', why: ownData },
  'retention.bytes': { kind: 'user-only', why: ownData },
};
