import { z } from 'zod';

/** A question to a human about one exact call: keyed by call id and argument digest, single use, expiring. */
export const Approval = z.strictObject({
  sessionId: z.string(),
  callId: z.string(),
  argumentDigest: z.string(),
  tool: z.string(),
  rule: z.string(),
  summary: z.string(),
  status: z.enum(['waiting', 'approved', 'denied', 'expired', 'used']),
  requestedAt: z.number(),
  expiresAt: z.number(),
  decidedBy: z.string().optional(),
  decidedAt: z.number().optional(),
});
export type Approval = z.infer<typeof Approval>;

/** A question that nobody answered is a no after this time (requirement A12). */
export const approvalMilliseconds = 24 * 60 * 60_000;

/** A standing yes: for this session, or by rule (tool and argument pattern), always with its scope (requirement G3). */
export const Grant = z.strictObject({
  id: z.string(),
  sessionId: z.string(),
  tool: z.string().describe('`server__tool`, or the name of an act outside tools such as "apply"'),
  pattern: z.record(z.string(), z.string()).optional().describe('Argument name -> glob that its value must match'),
  grantedBy: z.string(),
  expiresAt: z.number().optional(),
});
export type Grant = z.infer<typeof Grant>;
