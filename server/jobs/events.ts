import { z } from 'zod';

/** Carries nothing: what was noted is in our own table. */
export const TRANSFERS_NOTED = 'transfers/noted';

/** Carries nothing: that it comes back is what it is for. */
export const PROBED = 'service/probed';

/** A queue each, so that a flood of what costs nothing does not hold up what was paid for. */
export const MINT_REQUESTED = 'mint/requested';
export const FREE_MINT_REQUESTED = 'mint/free.requested';

/** Data of both: ids only. */
export const mintRequested = z.object({ mintId: z.string().regex(/^[0-9A-Z]{12}$/) });
