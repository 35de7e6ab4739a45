import { z } from 'zod';

/** `GET /health`: `parts` are all that the service works with, by name. */
export const healthBody = z.object({
  success: z.boolean(),
  status: z.enum(['ok', 'degraded']),
  ready: z.boolean(),
  network: z.string(),
  degraded: z.array(z.string()),
  affected: z.record(z.string(), z.string()),
  parts: z.record(z.string(), z.object({ ok: z.boolean(), detail: z.string() })),
});

/** `reason` where it is not. */
export const readyBody = z.object({
  success: z.boolean(),
  ready: z.boolean(),
  reason: z.string().optional(),
});
export const liveBody = z.object({ success: z.boolean(), reason: z.string().optional() });
