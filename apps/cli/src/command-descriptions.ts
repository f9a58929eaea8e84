import type { CommandDescription } from './describe-command.ts';
import { applyDescription } from './descriptions/apply.ts';
import { approveDescription } from './descriptions/approve.ts';
import { auditDescription } from './descriptions/audit.ts';
import { completionDescription } from './descriptions/completion.ts';
import { configDescription } from './descriptions/config.ts';
import { diffDescription } from './descriptions/diff.ts';
import { doctorDescription } from './descriptions/doctor.ts';
import { gcDescription } from './descriptions/gc.ts';
import { initDescription } from './descriptions/init.ts';
import { resumeDescription } from './descriptions/resume.ts';
import { runDescription } from './descriptions/run.ts';
import { sessionsDescription } from './descriptions/sessions.ts';
import { toolsDescription } from './descriptions/tools.ts';
import { traceDescription } from './descriptions/trace.ts';
import { undoDescription } from './descriptions/undo.ts';

/** Every command, in the order of the overview. */
export const commandDescriptions = [
  runDescription,
  resumeDescription,
  approveDescription,
  sessionsDescription,
  diffDescription,
  applyDescription,
  undoDescription,
  traceDescription,
  gcDescription,
  initDescription,
  configDescription,
  doctorDescription,
  auditDescription,
  toolsDescription,
  completionDescription,
] as const satisfies readonly CommandDescription[];

export type CommandName = (typeof commandDescriptions)[number]['name'];
