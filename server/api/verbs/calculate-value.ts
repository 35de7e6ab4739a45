import { requireCountry } from '@/server/rates/countries';
import { dayOf } from '@/server/rates/day';
import { valueLocally } from '@/server/rates/value-locally';
import { readValuedTransfer } from '@/server/receipts/value-transfer';
import { presentValue } from '../present';
import type { RequestContext } from '../request-context';
import type { CalculateBody } from '../schemas';

/** The value of a transaction in a country's currency, by the rate of the transaction's UTC day. */
export async function calculateValue(
  ctx: RequestContext,
  input: { tx_signature: string; country?: string | undefined },
): Promise<CalculateBody> {
  const country = requireCountry(input.country);
  const valued = await readValuedTransfer(ctx.service, { signature: input.tx_signature });
  const { transfer, usdMicros, valuation, usdPerUnit } = valued;
  const local = await valueLocally({
    ctx: ctx.service,
    country: country.code,
    day: dayOf(transfer.blockTime),
    usdMicros,
    token: { amountRaw: transfer.amount, decimals: transfer.decimals, valuation, usdPerUnit },
  });
  return presentValue({ valued, local, country: country.code });
}
