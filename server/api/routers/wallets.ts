import { exportReceipts } from '@/server/exports/export-receipts';
import { describeFile } from '@/server/exports/export-format';
import { exportInput, listTransfersBody, listTransfersInput } from '../listing-schemas';
import { procedure, router } from '../trpc';
import { listTransfers } from '../verbs/list-transfers';

export const walletsRouter = router({
  listTransfers: procedure
    .input(listTransfersInput)
    .output(listTransfersBody)
    .query(({ ctx, input }) => listTransfers(ctx, input)),
  /** Pieces of a file, for doors that can send a stream. */
  exportReceipts: procedure.input(exportInput).query(async ({ ctx, input }) => {
    const { address: wallet, country, format } = input;
    return {
      ...describeFile({ wallet, format }),
      pieces: await exportReceipts(ctx.service, { wallet, country, format }),
    };
  }),
});
