import { readTransferOnce } from '@/server/chain/read-transfer-once';
import { verified } from '@/server/receipts/value-transfer';
import { tokenByMint } from '@/server/tokens/token-table';
import { presentTransfer } from '../present';
import type { RequestContext } from '../request-context';
import type { VerifyBody } from '../schemas';

/** The transfer that a transaction is, of any token; throws the 400 that says why it is none. */
export async function verifyTransaction(
  ctx: RequestContext,
  input: { tx_signature: string },
): Promise<VerifyBody> {
  const transfer = verified(await readTransferOnce(ctx.service, input.tx_signature));
  return presentTransfer(transfer, tokenByMint(transfer.mint, ctx.service.env.network));
}
