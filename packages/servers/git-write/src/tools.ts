import type { Tool } from '@capstan/tool-server';
import { createBranchTool, deleteBranchTool, deleteUnmergedBranchTool, switchBranchTool } from './branches.ts';
import { bringBackTool } from './bring-back.ts';
import { commitIndexTool } from './commit-index.ts';
import type { EffectDeps } from './effect.ts';
import { forcePushTool, pushBranchTool } from './push-branch.ts';
import { restoreFilesTool } from './restore-files.ts';
import { amendCommitTool, resetBranchTool } from './rewrite-history.ts';
import { stageFilesTool, unstageFilesTool } from './stage-files.ts';
import { addWorktreeTool, listWorktreesTool, removeWorktreeTool } from './worktrees.ts';

/** What every host is offered. */
const usualTools = [
  stageFilesTool,
  unstageFilesTool,
  commitIndexTool,
  createBranchTool,
  switchBranchTool,
  deleteBranchTool,
  restoreFilesTool,
  bringBackTool,
  listWorktreesTool,
  addWorktreeTool,
  removeWorktreeTool,
];

/** What a person has to enable by name: it publishes, or rewrites history. */
const dangerousTools = {
  git_push: pushBranchTool,
  git_force_push: forcePushTool,
  git_amend: amendCommitTool,
  git_reset: resetBranchTool,
  git_delete_unmerged_branch: deleteUnmergedBranchTool,
};
export type DangerousName = keyof typeof dangerousTools;

export const dangerousNames = Object.keys(dangerousTools) as readonly DangerousName[];

/** The tools of this server. */
export function gitWriteTools(deps: EffectDeps, enabled: readonly DangerousName[]): Tool[] {
  return [...usualTools, ...enabled.map((name) => dangerousTools[name])].map((make) => make(deps));
}
