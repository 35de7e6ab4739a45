import { z } from 'zod';

export const MINT_REQUESTED = 'mint/requested';

/** Data of {@link MINT_REQUESTED}: ids only. */
export const mintRequested = z.object({ mintId: z.string().regex(/^[0-9A-Z]{12}$/) });
