import type { PlannerName } from '@capstan/contracts';

/** What a person can do about a run that makes no headway, by who planned it (pure). */
export function stuckHint(planner: PlannerName): string {
  return planner === 'model'
    ? 'Say more exactly what to do, or use a larger model.'
    : 'Fix it by hand, or configure a chat model: repair by tests has tried what it knows.';
}
