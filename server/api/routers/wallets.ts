import { listTransfersBody, listTransfersInput } from '../listing-schemas';
import { procedure, router } from '../trpc';
import { listTransfers } from '../verbs/list-transfers';

export const walletsRouter = router({
  listTransfers: procedure
    .input(listTransfersInput)
    .output(listTransfersBody)
    .query(({ ctx, input }) => listTransfers(ctx, input)),
});
