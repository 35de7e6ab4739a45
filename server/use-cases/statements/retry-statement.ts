import { ServiceError } from '@/server/errors';
import { findStatement } from '@/server/statements/find-statement';
import { chargeWallet } from '../charge-limits';
import { proofText, readWalletProof } from '../prove-wallet';
import { presentProgress, retryFailedMint } from '../receipts/mint-status';
import type { ProgressBody } from '../web-schemas';
import type { Call } from '../call';

/**
 * Retries the mint of a failed statement, at most once an hour. The caller is the wallet of the
 * statement, the only one that could pay for it. Returns the state after that, which is still
 * `failed` within the hour. Throws 401 without a proof of wallet over the statement's id, 403 for
 * another wallet, 404.
 */
export async function retryStatement(call: Call<{ statement_id: string }>): Promise<ProgressBody> {
  const { statement, mint } = await findStatement(call.service.db, call.input.statement_id);
  const text = proofText(call.service.env.serviceName, statement.id);
  const caller = readWalletProof(call.actor, text);
  if (caller === null)
    throw new ServiceError(
      'wallet_proof_missing',
      `A retry needs the headers X-Wallet-Address and X-Wallet-Signature of the wallet that the statement is for. Sign exactly this text with the wallet: ${text}`,
      { details: { sign: text } },
    );
  await chargeWallet(call, caller);
  if (caller !== statement.wallet)
    throw new ServiceError(
      'not_a_participant',
      `The wallet ${caller} is not involved in this statement. The statement is for ${statement.wallet}.`,
      { details: { wallet: caller } },
    );
  return presentProgress(await retryFailedMint(call, mint));
}
