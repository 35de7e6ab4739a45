import { toDecimal, USD_DECIMALS, USDC_DECIMALS } from '@quittance/verify/money';
import { priceReceipt } from '@/server/payments/prices';
import { countUnfinished } from '@/server/dashboard/count-unfinished';
import { listFeeDue } from '@/server/registrations/list-fee-due';
import type { Session } from '@/server/wallets/sign-in';
import type { AttentionBody } from '../dashboard-schemas';
import type { RequestContext } from '../request-context';

/** Transfers with a fee due that are shown at once; the count tells of the rest. */
const MOST_DUE = 50;

/** What waits for the signed-in wallet: receipts not finished, and incoming transfers with a fee due. */
export async function readAttention(ctx: RequestContext, session: Session): Promise<AttentionBody> {
  const { db } = ctx.service;
  const [unfinished, due] = await Promise.all([
    countUnfinished(db, session.wallet),
    listFeeDue(db, { seller: session.wallet, limit: MOST_DUE }),
  ]);
  return {
    ...unfinished,
    fee_due: {
      count: due.count,
      items: due.items.map((item) => ({
        tx_signature: item.txSignature,
        payer: item.payer,
        token: item.token,
        amount: toDecimal(item.amountRaw, item.decimals),
        usd_amount: toDecimal(item.usdMicros, USD_DECIMALS),
        fee: toDecimal(priceReceipt(item.usdMicros), USDC_DECIMALS),
        block_time: item.blockTime.toISOString(),
      })),
    },
  };
}
