import { crc32 } from 'node:zlib';
import { fundWallet } from '@/devnet/client/fund-wallet';
import { payToken, TOKENS } from '@/devnet/client/pay-token';
import { makeWallet } from '@/devnet/client/wallet';
import { dayOf } from '@/server/clock';
import type { OpenIssuer } from '@/server/receipts/evidence.fixture';
import { fileOf, seenOf } from '@/server/receipts/evidence.fixture';
import { rawTransactionSchema } from '@quittance/verify/chain/raw-transaction';
import { walletLegs } from '@quittance/verify/chain/transfer';
import { decodeLeafEvents } from '@quittance/verify/nft/leaf';
import type { MintEvidence } from '@quittance/verify/receipts/check-evidence';
import { openPlaces } from '@quittance/verify/receipts/look-up-proof';
import { factsDigest } from '@quittance/verify/receipts/image-digest';
import { writeMintProof } from '@quittance/verify/receipts/proof-document';
import { statementName } from '@quittance/verify/statements/describe-statement';
import { lookUpRows } from '@quittance/verify/statements/look-up-rows';
import { leafOf, rootOf } from '@quittance/verify/statements/merkle';
import type { checkStatementProof } from '@quittance/verify/statements/statement-proof';
import {
  NO_LABELS,
  presentRow,
  sumRows,
  type StatementItem,
  type StatementRow,
} from '@quittance/verify/statements/statement-rows';
import { csvSha256, writeCsv } from '@quittance/verify/statements/write-csv';
import { tokenByMint } from '@quittance/verify/tokens/token-table';
import { describeStatement, type StatementFacts } from './describe-statement';

/** A wallet with payments on an embedded chain, in the form of a statement. */
export type Business = { wallet: string; shop: string; rows: StatementRow[]; payments: Payments };
type Payments = Awaited<ReturnType<typeof lookUpRows>>;

/** Five payments of one wallet, both ways, in two tokens. */
export async function doBusiness(rpcUrl: string): Promise<Business> {
  const [wallet, shop] = [makeWallet(), makeWallet()];
  await fundWallet(rpcUrl, { wallet: wallet.address, sol: 1, token: 'USDC', amount: '10' });
  await fundWallet(rpcUrl, { wallet: wallet.address, token: 'EURC', amount: '10' });
  await fundWallet(rpcUrl, { wallet: shop.address, sol: 1 });
  const signatures: string[] = [];
  for (const [from, to, token, amount] of [
    [wallet, shop, 'USDC', 750_000n],
    [wallet, shop, 'USDC', 1_000_001n],
    [shop, wallet, 'USDC', 300_000n],
    [wallet, shop, 'EURC', 2_000_000n],
    [wallet, shop, 'USDC', 20_000n],
  ] as const)
    signatures.push(await payToken(rpcUrl, { from, to: to.address, token, amount }));
  const payments = await lookUpRows(
    signatures.map((tx_signature) => ({ tx_signature, slot: 0 })),
    openPlaces({ rpcUrl, network: 'local' }),
  );
  const rows = signatures.map((signature) => rowOf(signature, payments, wallet.address));
  return { wallet: wallet.address, shop: shop.address, rows, payments };
}

function rowOf(signature: string, payments: Payments, wallet: string): StatementRow {
  const payment = payments.get(signature);
  const legs = payment && walletLegs(payment, wallet);
  const part = legs && 'rows' in legs ? legs.rows[0] : undefined;
  const token = part && tokenByMint(part.mint, 'local');
  if (!payment?.ok || !part || !token) throw new Error('the payment cannot be read');
  const isEuro = part.mint === TOKENS.EURC.mint;
  return {
    txSignature: signature,
    leg: part.leg,
    slot: payment.transfer.slot,
    blockTime: payment.transfer.blockTime,
    role: part.role,
    counterparty: part.counterparty,
    mint: part.mint,
    token: token.symbol,
    dtifCode: token.dtifCode,
    decimals: part.decimals,
    amountRaw: part.amount,
    amountSentRaw: part.amountSent,
    feeWithheldRaw: part.feeWithheld,
    usdMicros: isEuro ? 2_200_000n : part.amount,
    valuation: isEuro ? 'fx' : 'par',
    receiptId: null,
    labels: NO_LABELS,
  };
}

/** A statement before it is signed, all of it made of its rows. */
export type Draft = { facts: StatementFacts; items: StatementItem[]; csv: string };

export function draftStatement(o: { wallet: string; rows: readonly StatementRow[] }): Draft {
  const { wallet, rows } = o;
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last) throw new Error('a statement has rows');
  const csv = writeCsv(wallet, rows);
  const items = rows.map(presentRow);
  const facts: StatementFacts = {
    statementId: 'STMT7K3MQ9XW',
    issuedAt: new Date(),
    wallet,
    mode: 'list',
    network: 'local',
    publicUrl: 'https://receipts.example',
    period: null,
    complete: true,
    firstDay: dayOf(first.blockTime),
    lastDay: dayOf(last.blockTime),
    totals: sumRows(rows),
    csvSha256: csvSha256(csv),
    merkleRoot: rootOf(items.map(leafOf)),
  };
  return { facts, items, csv };
}

/** An image that carries the digest of other metadata in place of its own. */
export function stamped(image: Uint8Array, metadata: Uint8Array): Uint8Array {
  const copy = Buffer.from(image);
  const at = copy.indexOf('sha256:');
  copy.write(factsDigest(metadata), at, 'latin1');
  const type = copy.lastIndexOf('tEXt', at);
  const end = type + 4 + copy.readUInt32BE(type - 4);
  copy.writeUInt32BE(crc32(copy.subarray(type, end)), end);
  return copy;
}

/** Input of a check of the proof of a statement. */
export type Shown = Parameters<typeof checkStatementProof>[0] & { csv: Uint8Array };

/** Signs and mints a draft, in the metadata that `rewrite` makes of the true one. */
export async function issueStatement(
  issuer: OpenIssuer,
  o: Draft & {
    payments: Payments;
    image: Uint8Array;
    rewrite?: (metadata: Uint8Array) => Uint8Array;
  },
): Promise<{ minted: MintEvidence; shown: Shown }> {
  const { facts, rewrite = (bytes) => bytes } = o;
  const minted = await issuer.issue({
    owner: facts.wallet,
    name: statementName(facts),
    image: o.image,
    describe: (uri) => rewrite(describeStatement(facts, uri)),
  });
  return { minted, shown: showStatement(minted, o) };
}

/** The proof of a statement that was minted, and what the chain shows of it. */
export function showStatement(minted: MintEvidence, o: Draft & { payments: Payments }): Shown {
  const leaf = decodeLeafEvents(minted.mintTransaction)[0];
  if (!leaf) throw new Error('no leaf');
  const proof = writeMintProof({
    network: 'local',
    issuerUrl: `${o.facts.publicUrl}/.well-known/quittance.json`,
    leaf,
    mintSignature: 'as looked up',
    asset: seenOf(minted).asset,
    metadata: fileOf(minted.metadata),
    image: fileOf(minted.image),
  });
  return {
    document: { ...proof, statement_id: o.facts.statementId, transactions: o.items },
    issuer: minted.issuer,
    csv: Buffer.from(o.csv),
    payments: o.payments,
    membership: null,
    seen: {
      mintTransaction: rawTransactionSchema.parse(minted.mintTransaction),
      ...seenOf(minted),
    },
  };
}
