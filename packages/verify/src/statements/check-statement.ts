import { parseCsv } from '../csv';
import { USD_DECIMALS, toDecimal } from '../money';
import type { TransactionReading } from '../chain/transfer';
import type { MintEvidence } from '../receipts/check-evidence';
import { notJudged, outcomeOf, type CheckLine, type Outcome } from '../receipts/check-line';
import { checkMint } from '../receipts/check-mint';
import { findLeaf } from '../receipts/minted-leaf';
import { checkStorage } from '../receipts/check-storage';
import { CSV_COLUMNS } from '../receipts/transfer-row';
import { compareWithChain } from './compare-with-chain';
import { leafOf, rootFromPath, rootOf, type PathStep } from './merkle';
import { statementItem, type StatementItem, sumRows, type TokenTotal } from './statement-rows';
import { parseStatementMetadata, type StatementMetadata } from './parse-statement-metadata';
import { paidTrait, receivedTrait } from './describe-statement';
import { csvSha256 } from './write-csv';

/** All that a check of a statement looks at. Nothing of it is trusted. What was not shown is null. */
export type StatementEvidence = MintEvidence & {
  statementId: string;
  /** `transactions` of the answer, as they came. */
  rows: readonly unknown[] | null;
  csv: Uint8Array | null;
  membership: Membership | null;
};

/** One row with its way to the root, as the proof path answers, and what the chain says of its payment. */
export type Membership = {
  row: unknown;
  path: readonly PathStep[];
  payment: TransactionReading;
};

/**
 * Checks a statement: that the files and the NFT are the issuer's, that rows and CSV are those the NFT
 * names, that the sums are those of the rows, that one row alone leads to the root and is what the chain
 * says. Pure: no network, no database, no settings. For what was shown every line is given every time, in
 * one order; there is none for what was not shown.
 */
export function checkStatement(evidence: StatementEvidence): CheckLine[] {
  const reading = parseStatementMetadata(evidence.metadata.bytes);
  const metadata = reading.ok ? reading.metadata : null;
  const subject = metadata && {
    id: metadata.statementId,
    name: metadata.name,
    imageUri: metadata.imageUri,
    issuedAt: metadata.issuedAt,
    owner: metadata.wallet,
  };
  const parsed = statementItem.array().safeParse(evidence.rows);
  const contents = { evidence, metadata, rows: parsed.success ? parsed.data : null };
  return [
    {
      id: 'metadata_readable',
      title: 'The metadata is that of this statement',
      outcome: outcomeOf(
        metadata?.statementId === evidence.statementId &&
          metadata.name.endsWith(` ${evidence.statementId}`) &&
          metadata.pageUrl.endsWith(`/s/${evidence.statementId}`),
      ),
      detail: reading.ok ? `it is statement ${reading.metadata.statementId}` : reading.why,
    },
    ...checkStorage({ evidence, subject }),
    ...checkMint({ evidence, subject, holder: 'wallet', leaf: findLeaf(evidence) }),
    ...checkRows(contents),
    ...checkCsv(contents),
    ...checkMembership(contents),
  ];
}

type Contents = {
  evidence: StatementEvidence;
  metadata: StatementMetadata | null;
  /** Null when they were not shown, or are not of the form of a statement. */
  rows: readonly StatementItem[] | null;
};

function checkRows({ evidence, metadata, rows }: Contents): CheckLine[] {
  if (evidence.rows === null) return [];
  const line = (
    id: string,
    title: string,
    judge: (metadata: StatementMetadata, rows: readonly StatementItem[]) => Judged,
  ): CheckLine => {
    if (!metadata) return notJudged(id, title, NO_METADATA);
    if (!rows) return { id, title, ...judged(false, NO_ROWS) };
    return { id, title, ...judge(metadata, rows) };
  };
  return [
    line('merkle_root', 'The rows lead to the Merkle root in the NFT', ({ merkleRoot }, all) => {
      const root = all.length === 0 ? 'none' : rootOf(all.map((row) => leafOf(row)));
      return judged(root === merkleRoot, `root ${root}`);
    }),
    line('totals', 'The sums in the NFT are those of the rows', sameTotals),
  ];
}

function checkCsv({ evidence, metadata, rows }: Contents): CheckLine[] {
  const { csv } = evidence;
  if (csv === null) return [];
  const hash = csvSha256(csv);
  const title = 'The CSV has the hash in the NFT';
  const hashed = metadata
    ? { id: 'csv_hash', title, ...judged(hash === metadata.csvSha256, `sha256 ${hash}`) }
    : notJudged('csv_hash', title, NO_METADATA);
  if (evidence.rows === null) return [hashed];
  const [id, same] = ['csv_rows', 'The CSV lists the same payments as the rows'] as const;
  return [hashed, { id, title: same, ...(rows ? sameAsCsv(csv, rows) : judged(false, NO_ROWS)) }];
}

function checkMembership({ evidence, metadata, rows }: Contents): CheckLine[] {
  if (evidence.membership === null) return [];
  const title = 'The row alone leads to the Merkle root in the NFT';
  const onChain = 'The row says what its transaction says';
  const { path, payment } = evidence.membership;
  const parsed = statementItem.safeParse(evidence.membership.row);
  if (!metadata)
    return [
      notJudged('membership', title, NO_METADATA),
      notJudged('member_on_chain', onChain, NO_METADATA),
    ];
  if (!parsed.success)
    return [
      { id: 'membership', title, ...judged(false, NO_MEMBER) },
      notJudged('member_on_chain', onChain, NO_MEMBER),
    ];
  const leaf = leafOf(parsed.data);
  // Where all rows are shown, the path must be that of one of them.
  const isListed = evidence.rows === null || (rows ?? []).some((row) => leafOf(row) === leaf);
  const root = rootFromPath(leaf, path);
  const held = isListed && root === metadata.merkleRoot;
  const detail = held ? `in ${path.length} steps` : `it leads to ${root}`;
  return [
    { id: 'membership', title, ...judged(held, detail) },
    {
      id: 'member_on_chain',
      title: onChain,
      ...compareWithChain({ row: parsed.data, payment, wallet: metadata.wallet }),
    },
  ];
}

const NO_METADATA = 'the metadata cannot be read';
const NO_MEMBER = 'the statement lists no such payment';
const NO_ROWS = 'the rows are not of the form of a statement';

type Judged = { outcome: Outcome; detail: string };

function judged(isHeld: boolean, detail: string): Judged {
  return { outcome: outcomeOf(isHeld), detail };
}

/** Columns that both have, in one spelling. */
const COMPARED = ['tx_signature', 'block_time_utc', 'direction', 'counterparty', 'amount'] as const;

function sameAsCsv(csv: Uint8Array, rows: readonly StatementItem[]): Judged {
  const [head = [], ...records] = parseCsv(new TextDecoder().decode(csv));
  if (head.join() !== CSV_COLUMNS.join()) return judged(false, 'it has other columns');
  if (records.length !== rows.length)
    return judged(false, `it has ${records.length} records for ${rows.length} rows`);
  const wrong = rows.findIndex((row, index) => {
    const said: Record<(typeof COMPARED)[number], string> = {
      tx_signature: row.tx_signature,
      block_time_utc: row.block_time,
      direction: row.role === 'payer' ? 'sent' : 'received',
      counterparty: row.counterparty,
      amount: toDecimal(BigInt(row.amount_raw), row.decimals),
    };
    return COMPARED.some(
      (column) => records[index]?.[CSV_COLUMNS.indexOf(column)] !== said[column],
    );
  });
  return wrong < 0
    ? judged(true, `${rows.length} records`)
    : judged(false, `record ${wrong + 1} is another`);
}

function sameTotals(metadata: StatementMetadata, rows: readonly StatementItem[]): Judged {
  const totals = sumRows(
    rows.map((row) => ({
      txSignature: row.tx_signature,
      role: row.role,
      token: row.token,
      mint: row.mint,
      decimals: row.decimals,
      amountRaw: BigInt(row.amount_raw),
      usdMicros: BigInt(row.usd_amount_raw),
    })),
  );
  const isSaid = ({ token, decimals, asPayer, asSeller }: TokenTotal) =>
    metadata.traits.get(paidTrait(token)) === toDecimal(asPayer, decimals) &&
    metadata.traits.get(receivedTrait(token)) === toDecimal(asSeller, decimals);
  const held =
    totals.txCount === metadata.count &&
    totals.rowCount === metadata.rowCount &&
    totals.totalMicros === metadata.totalMicros &&
    totals.asPayerMicros === metadata.asPayerMicros &&
    totals.asSellerMicros === metadata.asSellerMicros &&
    totals.tokens.every(isSaid);
  const usd = toDecimal(totals.totalMicros, USD_DECIMALS);
  return judged(held, `${totals.rowCount} rows, ${usd} USD`);
}
