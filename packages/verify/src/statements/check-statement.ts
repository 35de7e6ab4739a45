import { USD_DECIMALS, toDecimal } from '../money';
import type { TransactionReading } from '../chain/transfer';
import { byEitherTable, readByTable } from '../receipts/by-either-table';
import type { MintEvidence } from '../receipts/check-evidence';
import { notJudged, outcomeOf, type CheckLine, type Outcome } from '../receipts/check-line';
import { checkMint } from '../receipts/check-mint';
import { findLeaf, mintTime } from '../receipts/minted-leaf';
import { NETWORK_NAMES } from '../receipts/describe-traits';
import { checkImage } from '../receipts/check-image';
import { checkTemplateUse } from '../receipts/check-template-use';
import { STATEMENT_ID } from '../receipts/ids';
import { checkStorage, webPathOf } from '../receipts/check-storage';
import { checkCsv } from './check-csv';
import { checkLegs } from './check-legs';
import { checkEachRow, checkOneRow, type RowPayments } from './check-rows';
import { compareWithChain } from './compare-with-chain';
import { leafOf, rootFromPath, rootOf, type PathStep } from './merkle';
import { statementItem, type StatementItem, type TokenTotal, totalsOf } from './statement-rows';
import { parseStatementMetadata, type StatementMetadata } from './parse-statement-metadata';
import { paidTrait, receivedTrait } from './describe-statement';

/**
 * All inputs of a check of a statement. Nothing of it is trusted. A part that was not shown is
 * null.
 */
export type StatementEvidence = MintEvidence & {
  statementId: string;
  /** `transactions` of the answer, unparsed. */
  rows: readonly unknown[] | null;
  /** The reading of the payment of each row. */
  payments: RowPayments;
  csv: Uint8Array | null;
  membership: Membership | null;
};

/**
 * One row with its path to the root, from the answer of the proof path, and the reading of its
 * payment.
 */
export type Membership = {
  row: unknown;
  path: readonly PathStep[];
  payment: TransactionReading;
};

/**
 * Checks a statement. The files and the NFT must be the issuer's, and rows and CSV those that the
 * NFT names. The sums must be those of the rows. One row alone must lead to the root and match the
 * chain. Pure: no network, no database, no settings. For the parts that were shown every line is
 * always given, in a fixed order. A part that was not shown has no line.
 */
export function checkStatement(evidence: StatementEvidence): CheckLine[] {
  const reading = parseStatementMetadata(evidence.metadata.bytes);
  const metadata = reading.ok ? reading.metadata : null;
  const parsed = statementItem.array().safeParse(evidence.rows);
  const rows = parsed.success ? parsed.data : null;
  const subject = metadata && {
    id: metadata.statementId,
    name: metadata.name,
    imageUri: metadata.imageUri,
    issuedAt: metadata.issuedAt,
    paidAt: new Date(rows?.at(-1)?.block_time ?? metadata.lastDay),
    owner: metadata.wallet,
  };
  const contents = { evidence, metadata, rows };
  return [
    {
      id: 'metadata_readable',
      title: 'The metadata belongs to this statement',
      outcome: outcomeOf(
        metadata?.statementId === evidence.statementId &&
          STATEMENT_ID.test(evidence.statementId) &&
          metadata.name.endsWith(` ${evidence.statementId}`) &&
          webPathOf(metadata.pageUrl) === `/s/${evidence.statementId}`,
      ),
      detail: reading.ok ? `it is statement ${reading.metadata.statementId}` : reading.why,
    },
    ...checkFacts(evidence, metadata),
    ...checkStorage({ evidence, subject }),
    ...checkImage({
      metadata,
      bytes: evidence.metadata.bytes,
      image: evidence.image.bytes,
    }),
    checkTemplateUse({
      metadata,
      issuedAt: metadata?.issuedAt ?? null,
      mintedAt: mintTime(evidence),
    }),
    ...checkMint({ evidence, subject, holder: 'wallet', leaf: findLeaf(evidence) }),
    ...checkRows(contents),
    ...(evidence.csv === null
      ? []
      : checkCsv({ csv: evidence.csv, metadata, rows: shownRows(contents) })),
    ...checkMembership(contents),
  ];
}

type Contents = {
  evidence: StatementEvidence;
  metadata: StatementMetadata | null;
  /** Null when they were not shown, or are not of the form of a statement. */
  rows: readonly StatementItem[] | null;
};

/**
 * The facts of the metadata outside the rows: by its template alone, and of the network of the
 * issuer.
 */
function checkFacts(evidence: StatementEvidence, metadata: StatementMetadata | null): CheckLine[] {
  const made = ['metadata_remade', 'The template makes this metadata from its facts'] as const;
  const named = ['network_named', 'The network is the one the issuer works on'] as const;
  if (!metadata) return [made, named].map(([id, title]) => notJudged(id, title, NO_METADATA));
  const { isRemade, network } = metadata;
  return [
    {
      id: made[0],
      title: made[1],
      ...judged(isRemade, isRemade ? 'it holds nothing else' : 'it holds something else'),
    },
    {
      id: named[0],
      title: named[1],
      ...judged(network === NETWORK_NAMES[evidence.issuer.network], `it says ${network}`),
    },
  ];
}

function shownRows({ evidence, rows }: Contents) {
  return evidence.rows === null ? null : (rows ?? 'unreadable');
}

function checkRows({ evidence, metadata, rows }: Contents): CheckLine[] {
  if (evidence.rows === null) {
    const alone = evidence.membership === null ? '' : ', so that one payment alone can be checked';
    return [
      notJudged('rows_shown', 'The rows are shown', `the proof came without its rows${alone}`),
    ];
  }
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
    ...(metadata && rows ? checkPayments({ evidence, metadata, rows }) : []),
  ];
}

/** The rows against the chain, by the tables that were in use when the statement was made. */
function checkPayments(o: {
  evidence: StatementEvidence;
  metadata: StatementMetadata;
  rows: readonly StatementItem[];
}): CheckLine[] {
  const { evidence, metadata, rows } = o;
  const { network } = evidence.issuer;
  const read = (tableOf: Date | undefined): RowPayments =>
    evidence.payments === 'none'
      ? 'none'
      : new Map(
          [...evidence.payments].map(([signature, payment]) => [
            signature,
            readByTable(payment, { network, tableOf }),
          ]),
        );
  const { issuedAt } = metadata;
  const mintedAt = mintTime(evidence);
  return byEitherTable({ network, issuedAt, mintedAt }, (tableOf) => {
    const payments = read(tableOf);
    return [
      ...checkEachRow({ rows, metadata, network, mintedAt, payments }),
      ...checkLegs({ rows, metadata, network, tableOf, payments }),
    ];
  });
}

function checkMembership({ evidence, metadata, rows }: Contents): CheckLine[] {
  if (evidence.membership === null) return [];
  const title = 'The row alone leads to the Merkle root in the NFT';
  const onChain = 'The row matches its transaction';
  const { path, payment } = evidence.membership;
  const { network } = evidence.issuer;
  const mintedAt = mintTime(evidence);
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
    ...byEitherTable({ network, issuedAt: metadata.issuedAt, mintedAt }, (tableOf) => [
      {
        id: 'member_on_chain',
        title: onChain,
        ...compareWithChain({
          row: parsed.data,
          payment: readByTable(payment, { network, tableOf }),
          wallet: metadata.wallet,
        }),
      },
    ]),
    ...checkOneRow(parsed.data, { metadata, network, mintedAt }),
  ];
}

const NO_METADATA = 'the metadata cannot be read';
const NO_MEMBER = 'the statement lists no such payment';
const NO_ROWS = 'the rows do not have the form of a statement';

type Judged = { outcome: Outcome; detail: string };

function judged(isHeld: boolean, detail: string): Judged {
  return { outcome: outcomeOf(isHeld), detail };
}

function sameTotals(metadata: StatementMetadata, rows: readonly StatementItem[]): Judged {
  const totals = totalsOf(rows);
  const isSaid = ({ token, decimals, asPayer, asSeller }: TokenTotal) =>
    metadata.traits.get(paidTrait(token)) === toDecimal(asPayer, decimals) &&
    metadata.traits.get(receivedTrait(token)) === toDecimal(asSeller, decimals);
  const held =
    totals.txCount === metadata.count &&
    totals.rowCount === metadata.rowCount &&
    totals.totalMicros === metadata.totalMicros &&
    totals.asPayerMicros === metadata.asPayerMicros &&
    totals.asSellerMicros === metadata.asSellerMicros &&
    totals.tokens.length === metadata.tokens.length &&
    totals.tokens.every(isSaid);
  const usd = toDecimal(totals.totalMicros, USD_DECIMALS);
  return judged(held, `${totals.rowCount} rows, ${usd} USD`);
}
