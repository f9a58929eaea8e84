import type { EventRow, PlannerName } from '@capstan/contracts';
import { conversation } from './conversation.ts';
import { repairSummary } from './planners/repair-summary.ts';
import type { Ending } from './run-state.ts';

/** What people read at the end: the model's last words, or what test-guided repair says about itself. */
export function answerOf(rows: readonly EventRow[], planner: PlannerName, ending: Ending): string {
  if (planner === 'repair') return repairSummary(rows, ending);
  const words = conversation(rows).findLast((message) => message.role === 'assistant' && message.text.trim() !== '');
  return words?.text ?? ending.failure?.message ?? '';
}
