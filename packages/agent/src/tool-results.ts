import { Check, CheckReport } from '@capstan/contracts';
import { z } from 'zod';

/** What `exec__list_checks` answers. */
export const CheckList = z.looseObject({ checks: z.array(Check), off: z.array(z.string()).default([]) });

/** What `exec__run_check` answers. */
export const CheckRun = z.looseObject({ report: CheckReport });

/** What `repair__localise_fault` answers. */
export const Localisation = z.looseObject({
  localisationId: z.string(),
  failing: z.array(z.string()),
  unstable: z.array(z.string()).default([]),
  left: z.array(z.string()).default([]),
});

/** What `repair__propose_patches` answers. */
export const Proposal = z.looseObject({ proposalId: z.string(), count: z.number().int() });

export const PlausiblePatch = z.looseObject({
  patchId: z.string(),
  rank: z.number(),
  group: z.number().default(0),
  edits: z.array(z.record(z.string(), z.unknown())).min(1),
  fixes: z.array(z.string()).default([]),
  reason: z.string().default(''),
  disables: z.string().optional(),
});
export type PlausiblePatch = z.infer<typeof PlausiblePatch>;

/** An input to which the plausible patches of two groups give different answers. */
const Distinguishing = z.looseObject({
  groups: z.tuple([z.number(), z.number()]),
  input: z.string(),
  outcomes: z.tuple([z.string(), z.string()]),
});

/** What `repair__validate_patch` answers for one batch. */
export const Validation = z.looseObject({
  tried: z.number().int(),
  plausible: z.array(PlausiblePatch),
  distinguishing: z.array(Distinguishing).default([]),
  exhausted: z.boolean(),
});

/** What `fs-read__read_files` answers. */
export const FileReading = z.looseObject({ files: z.array(z.looseObject({ text: z.string().optional() })) });
