import { toDecimal, USD_DECIMALS } from '@quittance/verify/money';
import {
  SEARCHED,
  SELECTIONS,
  STATEMENT_TEMPLATE,
  writeStatementMetadata,
} from '@quittance/verify/statements/describe-statement';
import type { Totals } from '@quittance/verify/statements/statement-rows';
import type { Network } from '@/server/env';

/** All that a statement says about itself, from which its metadata and its image are made. */
export type StatementFacts = {
  statementId: string;
  issuedAt: Date;
  network: Network;
  /** Origin of the service, without a trailing slash. */
  publicUrl: string;
  wallet: string;
  mode: 'list' | 'scan';
  /** UTC days of the first and last instant of a scan, or of the first and last row of a list. */
  firstDay: string;
  lastDay: string;
  /**
   * A scan: from the first instant to before the second. The least value of a row is null for a list that was
   * priced before it was kept.
   */
  period: { from: Date; until: Date; minMicros: bigint | null } | null;
  complete: boolean;
  totals: Totals;
  /** Hex. */
  csvSha256: string;
  merkleRoot: string;
};

/** The metadata of a statement by the current template. Equal facts give equal bytes. */
export function describeStatement(facts: StatementFacts, imageUri: string): Uint8Array {
  const { totals, period } = facts;
  const usd = (micros: bigint) => toDecimal(micros, USD_DECIMALS);
  const minMicros = period?.minMicros ?? null;
  return writeStatementMetadata(
    {
      statementId: facts.statementId,
      issuedAt: facts.issuedAt.toISOString(),
      network: facts.network,
      pageUrl: `${facts.publicUrl}/s/${facts.statementId}`,
      wallet: facts.wallet,
      selection: SELECTIONS[facts.mode],
      firstDay: facts.firstDay,
      lastDay: facts.lastDay,
      from: period?.from.toISOString() ?? null,
      until: period?.until.toISOString() ?? null,
      leastUsd: minMicros === null ? null : usd(minMicros),
      searched: period && (facts.complete ? SEARCHED.all : SEARCHED.some),
      count: totals.txCount.toString(),
      rows: totals.rowCount.toString(),
      totalUsd: usd(totals.totalMicros),
      asPayerUsd: usd(totals.asPayerMicros),
      asSellerUsd: usd(totals.asSellerMicros),
      tokens: totals.tokens.map(({ token, decimals, asPayer, asSeller }) => ({
        token,
        paid: toDecimal(asPayer, decimals),
        received: toDecimal(asSeller, decimals),
      })),
      csvSha256: facts.csvSha256,
      merkleRoot: facts.merkleRoot,
      template: STATEMENT_TEMPLATE,
    },
    imageUri,
  );
}
