import { failWith } from '../ending.ts';
import { endWith, type Node } from '../node.ts';
import { planRepair } from '../planners/plan-repair.ts';
import { planWithModel } from '../planners/plan-with-model.ts';
import { spentBudget } from '../spent-budget.ts';

/** Decides the next calls, or that it is time to verify. The one place where a run may go on, so budgets end it here. */
export const plan: Node = async (state, context) => {
  const { task } = context.input;
  const spent = spentBudget(state, task.budget, context.deps.clock.now());
  if (spent !== undefined) {
    const hint = 'Raise the budget, or ask for less at once.';
    return endWith(failWith('budget-spent', `The budget of this run is spent: ${spent}.`, hint));
  }
  return task.planner === 'model' ? planWithModel(state, context) : planRepair(state, context);
};
