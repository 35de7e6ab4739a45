import { rescale } from '@quittance/verify/money';

/**
 * Cuts amounts to fewer decimals, one file at a time, so that sums stay right: what rounding one amount
 * adds or drops is taken into the next amount of the same column and token. A column's sum is then off by
 * at most half of the last decimal, however many rows it has.
 */
export function carryRounding(toDecimals: number) {
  const rests = new Map<string, bigint>();
  /** `column` names one column and token; the answer has at most `toDecimals` decimals. */
  return (o: { column: string; raw: bigint; decimals: number }): Rounded => {
    const { column, raw, decimals } = o;
    if (decimals <= toDecimals) return { raw, decimals };
    const exact = raw + (rests.get(column) ?? 0n);
    const rounded = rescale(exact, decimals, toDecimals);
    rests.set(column, exact - rescale(rounded, toDecimals, decimals));
    return { raw: rounded, decimals: toDecimals };
  };
}

type Rounded = { raw: bigint; decimals: number };
