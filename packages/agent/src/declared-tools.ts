import type { PlannerName } from '@capstan/contracts';

/** The tools that the graph itself or the repair planner calls. */
export const toolNames = {
  listChecks: 'exec__list_checks',
  runCheck: 'exec__run_check',
  readFiles: 'fs-read__read_files',
  editFiles: 'fs-write__edit_files',
  localiseFault: 'repair__localise_fault',
  proposePatches: 'repair__propose_patches',
  validatePatch: 'repair__validate_patch',
} as const;

const repairTools = [
  toolNames.listChecks,
  toolNames.runCheck,
  toolNames.editFiles,
  toolNames.localiseFault,
  toolNames.proposePatches,
  toolNames.validatePatch,
];

/** Shown to a model: those of them that the gateway knows. At most 15 (requirement A7). */
const modelTools = [
  toolNames.readFiles,
  'fs-read__list_files',
  'fs-read__search_text',
  toolNames.editFiles,
  'fs-write__write_file',
  'fs-write__write_files',
  'fs-write__delete_files',
  toolNames.listChecks,
  toolNames.runCheck,
];

/** The declared tool list of the agent (requirement G13): the gateway refuses all else. */
export function agentTools(planner: PlannerName): readonly string[] {
  return planner === 'model' ? modelTools : repairTools;
}

/** What a tool does, as far as claims are concerned. */
export function deedOf(name: string): 'edit' | 'run' | 'read' {
  if (/^(fs|git)-write__/.test(name)) return 'edit';
  if (name === toolNames.runCheck || name.startsWith('exec__run') || name === toolNames.validatePatch) return 'run';
  return 'read';
}
