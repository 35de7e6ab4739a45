import type { ServiceContext } from '@/server/context';
import type { Env } from '@/server/env';
import { USD_DECIMALS, toJsonNumber } from '@quittance/verify/money';
import { dayOf } from '@/server/clock';
import { publicError } from '@/server/nft/mint-rows';
import { itemUri } from '@/server/storage/stored-items';
import {
  storedChanges,
  unpackChanges,
  type BalanceChange,
} from '@/server/statements/balance-changes';
import { lastInstant, parseSkipped } from '@/server/statements/frozen-list';
import type { StatementWithMint } from '@/server/statements/find-statement';
import { loadRows } from '@/server/statements/stored-rows';
import {
  presentRow,
  type StatementRow,
  sumRows,
} from '@quittance/verify/statements/statement-rows';
import { writeCsv } from '@quittance/verify/statements/write-csv';
import { tokenByMint } from '@quittance/verify/tokens/token-table';
import type { BalanceChangeBody, StatementBody, StatementPendingBody } from './schemas';

/** A statement out of its rows alone, so that it is the same whenever and wherever it is asked for. */
export async function presentStatement(
  { db, env }: Pick<ServiceContext, 'db' | 'env'>,
  { statement, mint }: StatementWithMint,
): Promise<StatementBody> {
  const rows = await loadRows(db, statement.id);
  const csv = writeCsv(statement.wallet, rows);
  return {
    success: true,
    statement_id: statement.id,
    nft_mint: mint.assetId,
    metadata_uri: mint.metadataUri,
    image_uri: itemUri(statement.imageItemId, env.storageGatewayUrl),
    mint_status: mint.status,
    mint_signature: mint.mintSignature,
    tree: mint.tree,
    wallet: statement.wallet,
    mode: statement.mode === 'list' ? 'list' : 'scan',
    created_at: statement.createdAt.toISOString(),
    summary: summarise(statement, rows),
    transactions: rows.map(presentRow),
    ...presentChanges(statement, env),
    complete: statement.complete,
    csv_sha256: statement.csvSha256,
    merkle_root: statement.merkleRoot,
    csv_url: `data:text/csv;base64,${Buffer.from(csv).toString('base64')}`,
  };
}

/** The transactions that a scan left out, and their changes to the balances of the wallet. */
function presentChanges(
  statement: StatementWithMint['statement'],
  { network }: Pick<Env, 'network'>,
): Pick<StatementBody, 'skipped' | 'left_out'> {
  const { balanceChanges } = statement;
  const noted = balanceChanges === null ? null : unpackChanges(storedChanges.parse(balanceChanges));
  const present = ({ mint, decimals, raw }: BalanceChange): BalanceChangeBody => ({
    mint,
    decimals,
    token: tokenByMint(mint, network)?.symbol ?? mint ?? 'SOL',
    amount: toJsonNumber(raw, decimals),
    amount_raw: raw.toString(),
  });
  return {
    skipped: Object.fromEntries(
      Object.entries(parseSkipped(statement.skipped)).map(([reason, signatures]) => [
        reason,
        {
          count: signatures.length,
          tx_signatures: signatures,
          changes: (noted?.skipped[reason] ?? []).map(present),
        },
      ]),
    ),
    left_out:
      noted &&
      Object.fromEntries(
        Object.entries(noted.leftOut).map(([reason, changes]) => [reason, changes.map(present)]),
      ),
  };
}

function summarise(
  { periodStart, periodEnd }: StatementWithMint['statement'],
  rows: readonly StatementRow[],
): StatementBody['summary'] {
  const totals = sumRows(rows);
  const usd = (micros: bigint) => toJsonNumber(micros, USD_DECIMALS);
  const first = periodStart ?? rows[0]?.blockTime ?? new Date(0);
  const last =
    periodStart && periodEnd
      ? lastInstant({ from: periodStart, until: periodEnd })
      : (rows.at(-1)?.blockTime ?? first);
  return {
    tx_count: totals.txCount,
    row_count: totals.rowCount,
    total_usd: usd(totals.totalMicros),
    total_usd_raw: totals.totalMicros.toString(),
    period_start: dayOf(first),
    period_end: dayOf(last),
    by_token: Object.fromEntries(
      totals.tokens.map((one) => [
        one.token,
        toJsonNumber(one.asPayer + one.asSeller, one.decimals),
      ]),
    ),
    by_role: { as_payer: usd(totals.asPayerMicros), as_seller: usd(totals.asSellerMicros) },
    by_token_by_role: Object.fromEntries(
      totals.tokens.map((one) => [
        one.token,
        {
          as_payer: toJsonNumber(one.asPayer, one.decimals),
          as_seller: toJsonNumber(one.asSeller, one.decimals),
        },
      ]),
    ),
  };
}

/** The message while the NFT is not minted. */
export function presentPending({ statement, mint }: StatementWithMint): StatementPendingBody {
  const status = mint.status;
  return {
    success: true,
    statement_id: statement.id,
    metadata_uri: mint.metadataUri,
    mint_status: status,
    attempts: mint.attempts,
    last_error: publicError(mint),
    message:
      status === 'failed'
        ? 'The statement is written, but its mint failed. Send the identical request with the same payment again to retry it, at most once an hour. It costs nothing.'
        : 'The statement is written and paid. Its NFT is being minted. Send the identical request with the same payment again, or read /statement/{statement_id}.',
  };
}
