import { z } from 'zod';

/** Carries nothing: what was noted is in our own table. */
export const TRANSFERS_NOTED = 'transfers/noted';

export const MINT_REQUESTED = 'mint/requested';

/** Data of {@link MINT_REQUESTED}: ids only. */
export const mintRequested = z.object({ mintId: z.string().regex(/^[0-9A-Z]{12}$/) });
