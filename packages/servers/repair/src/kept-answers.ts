import { Check } from '@capstan/contracts';
import type { Baseline, Location } from '@capstan/repair';
import { z } from 'zod';

const BaselineTest = z.object({
  id: z.string(),
  file: z.string(),
  status: z.enum(['passed', 'failed', 'skipped', 'unstable']),
  message: z.string().optional(),
  stack: z.string().optional(),
});

const Coverage = z.object({ id: z.string(), failed: z.boolean(), steps: z.number(), hits: z.array(z.number()) });

const KeptBaseline = z.object({
  check: Check,
  runs: z.number(),
  tests: z.array(BaselineTest),
  files: z.array(z.string()),
  fileMs: z.record(z.string(), z.number()),
  harness: z.enum(['screened', 'isolated']),
  misjudged: z.array(z.string()),
  observedMs: z.number(),
  coverage: z.array(Coverage),
  load: z.array(z.number()),
  calls: z.array(z.object({ path: z.string(), name: z.string(), args: z.array(z.unknown()) })),
  cpuMs: z.number(),
}) as unknown as z.ZodType<Baseline>;

const KeptLocation = z.object({
  path: z.string(),
  line: z.number(),
  start: z.number(),
  end: z.number(),
  suspicion: z.number(),
  failing: z.array(z.string()).readonly(),
}) satisfies z.ZodType<Location>;

/** What `localise_fault` keeps under its id. */
export const KeptLocalisation = z.object({
  workspace: z.string().describe('Digest of the workspace that was seen'),
  baseline: KeptBaseline.optional().describe('Absent when no test failed'),
  passing: z.number(),
  locations: z.array(KeptLocation),
  left: z.array(z.string()).default([]).describe('Suspected files that no patch may change'),
  unread: z.number().default(0).describe('Modules that tests reach and that were not read'),
});
export type KeptLocalisation = z.infer<typeof KeptLocalisation>;

/** What `propose_patches` keeps: the patches themselves are made again from the localisation. */
export const KeptProposal = z.object({ localisationId: z.string(), limit: z.number() });
export type KeptProposal = z.infer<typeof KeptProposal>;

/** Verdicts of `validate_patch` so far. */
export const KeptVerdicts = z.object({
  judged: z.array(z.string()),
  passed: z.array(
    z.object({
      patchId: z.string(),
      fixes: z.array(z.string()).readonly(),
      outcomes: z.array(z.string()).readonly(),
      whole: z.boolean(),
      disables: z.string().optional(),
    }),
  ),
  baseOutcomes: z.array(z.string()).readonly(),
  inputs: z.array(z.object({ name: z.string(), args: z.array(z.unknown()).readonly() })).readonly(),
});
export type KeptVerdicts = z.infer<typeof KeptVerdicts>;
