import type { PlannerName } from '@capstan/contracts';

/** The tools that the graph itself or the repair planner calls. */
export const toolNames = {
  listChecks: 'exec__list_checks',
  runCheck: 'exec__run_check',
  shell: 'exec__shell',
  readFiles: 'fs-read__read_files',
  editFiles: 'fs-write__edit_files',
  localiseFault: 'repair__localise_fault',
  proposePatches: 'repair__propose_patches',
  validatePatch: 'repair__validate_patch',
} as const;

/** Shown to a model in every request (requirement A7). */
const shownTools: readonly string[] = [
  toolNames.readFiles,
  'fs-read__list_files',
  'fs-read__search_text',
  toolNames.editFiles,
  'fs-write__write_files',
  toolNames.runCheck,
  // Only there where a person switched it on.
  toolNames.shell,
];

const repairTools: readonly string[] = [
  toolNames.listChecks,
  toolNames.runCheck,
  toolNames.editFiles,
  toolNames.localiseFault,
  toolNames.proposePatches,
  toolNames.validatePatch,
];

const modelTools: readonly string[] = [
  ...new Set([
    ...shownTools,
    ...repairTools,
    'fs-read__stat_files',
    'fs-read__show_tree',
    'fs-write__move_files',
    'fs-write__delete_files',
    'fs-write__apply_patch',
    'fs-write__restore_files',
    'exec__list_commands',
    'exec__run_command',
    'exec__read_job',
  ]),
];

/** The declared tool list of the agent (requirement G13): the gateway refuses all else. */
export function agentTools(planner: PlannerName): readonly string[] {
  return planner === 'model' ? modelTools : repairTools;
}

/** Those of them that a model is shown; the others answer too when it names them. */
export function isShown(name: string): boolean {
  return shownTools.includes(name);
}

/** What a tool does, as far as claims are concerned. */
export function deedOf(name: string): 'edit' | 'run' | 'read' {
  if (/^(fs|git)-write__/.test(name)) return 'edit';
  if (
    name === toolNames.runCheck ||
    name.startsWith('exec__run') ||
    name === toolNames.shell ||
    name === toolNames.validatePatch
  )
    return 'run';
  return 'read';
}
