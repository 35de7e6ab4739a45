import type { z } from 'zod';
import { toDecimalText } from '@quittance/verify/rates/fraction';
import { toJsonNumber } from '@quittance/verify/money';
import type { ReceiptBeside, ReceiptLeg } from '@quittance/verify/receipts/receipt-beside';
import { tokenByMint } from '@quittance/verify/tokens/token-table';
import type { Env } from '@/server/env';
import type { beside, goods, leftOut, leg } from './leg-schemas';

type Network = Env['network'];
type Amount = { mint: string | null; decimals: number; amount: bigint };
type Body = z.infer<z.ZodObject<typeof beside>>;

/** A symbol from the chain is never trusted: the table's, else the mint itself. */
function presentAmount<T extends Amount>(
  { mint, decimals, amount }: T,
  network: Network,
): z.infer<typeof goods> {
  return {
    token: tokenByMint(mint, network)?.symbol ?? mint ?? 'SOL',
    mint,
    decimals,
    amount: toJsonNumber(amount, decimals),
    amount_raw: amount.toString(),
  };
}

/** A leg; one without a token is in that of its receipt. */
export function presentLeg(
  one: ReceiptLeg,
  own: { mint: string | null; decimals: number },
  network: Network,
): z.infer<typeof leg> {
  const mint = one.mint === undefined ? own.mint : one.mint;
  const decimals = one.decimals ?? own.decimals;
  return { owner: one.owner, ...presentAmount({ mint, decimals, amount: one.amount }, network) };
}

function presentLeftOut(
  one: ReceiptBeside['leftOut'][number],
  network: Network,
): z.infer<typeof leftOut> {
  const { reason, from, to, account } = one;
  return { reason, from, to, account, ...presentAmount(one, network) };
}

/** What stands beside a transfer. */
export function presentBeside(beside: ReceiptBeside, network: Network): Body {
  const leg = (one: ReceiptBeside['change'][number]) => presentLeg(one, one, network);
  return {
    payer_kind: beside.payerKind,
    seller_kind: beside.sellerKind,
    goods: beside.goods.map((one) => presentAmount(one, network)),
    change: beside.change.map(leg),
    paid_with: beside.paidWith.map(leg),
    left_out: beside.leftOut.map((one) => presentLeftOut(one, network)),
    prices: beside.prices.map(({ mint, usdPerUnit, basis, source }) => ({
      token: tokenByMint(mint, network)?.symbol ?? mint ?? 'SOL',
      mint,
      usd: toDecimalText(usdPerUnit),
      basis,
      source,
    })),
  };
}
