import type { Transfer } from '@quittance/verify/chain/transfer';
import { toDecimalText, toJsonNumber, USD_DECIMALS } from '@quittance/verify/money';
import {
  besideOf,
  type ReceiptBeside,
  type ReceiptLeg,
} from '@quittance/verify/receipts/receipt-beside';
import { tokenByMint } from '@quittance/verify/tokens/token-table';
import type { z } from 'zod';
import type { Mint } from '@/generated/prisma/client';
import type { Env } from '@/server/env';
import type { LocalValue } from '@/server/rates/local-rate';
import { publicError } from '@/server/nft/mint-rows';
import type { ReceiptWithMint } from '@/server/receipts/find-receipt';
import { shownReceipt } from '@/server/receipts/hide-labels';
import { factsOfRow } from '@/server/receipts/receipt-codec';
import type { ValuedTransfer } from '@/server/receipts/value-transfer';
import { itemUri } from '@/server/storage/stored-items';
import {
  type beside,
  type CalculateBody,
  type goods,
  type leftOut,
  type leg,
  type MintStatusBody,
  type ReceiptBody,
  type VerifyBody,
} from './schemas';

/** The status record: attempts and last error until it is done, the addresses once it is. */
export function presentMintStatus(mint: Mint): MintStatusBody {
  const status = mint.status;
  const base = { success: true, receipt_id: mint.id, mint_status: status } as const;
  if (status !== 'completed')
    return { ...base, attempts: mint.attempts, last_error: publicError(mint) };
  return {
    ...base,
    metadata_uri: mint.metadataUri,
    ...(mint.mintSignature === null ? {} : { mint_signature: mint.mintSignature }),
    ...(mint.assetId === null ? {} : { asset_id: mint.assetId }),
  };
}

/** `GET /receipt`: the facts of the receipt, and the progress of its NFT. */
export function presentReceipt({ receipt, mint }: ReceiptWithMint, env: Env): ReceiptBody {
  const facts = factsOfRow(shownReceipt(receipt), env);
  const { decimals, beside } = facts;
  return {
    success: true,
    receipt_id: facts.receiptId,
    mint_status: mint.status,
    attempts: mint.attempts,
    last_error: publicError(mint),
    tx_signature: facts.txSignature,
    payer: facts.payer,
    seller: facts.seller,
    amount: toJsonNumber(facts.amount, decimals),
    amount_raw: facts.amount.toString(),
    decimals,
    token: facts.token,
    asset_name: facts.token,
    mint: facts.mint,
    dtif_code: facts.dtifCode,
    usd_amount: toJsonNumber(facts.usdMicros, USD_DECIMALS),
    usd_amount_raw: facts.usdMicros.toString(),
    valuation: facts.valuation,
    valuation_source: facts.valuationSource,
    fee_withheld: toJsonNumber(facts.feeWithheld, decimals),
    fee_withheld_raw: facts.feeWithheld.toString(),
    other_legs: facts.otherLegs.map((leg) => presentLeg(leg, facts, env.network)),
    ...(beside ? presentBeside(beside, env.network) : {}),
    slot: Number(facts.slot),
    block_time: facts.blockTime.toISOString(),
    service_type: facts.serviceType,
    transaction_type: facts.transactionType,
    invoice_id: facts.invoiceId,
    reported_by: facts.reportedBy,
    labels_hidden: receipt.labelsHiddenAt !== null,
    metadata_uri: mint.metadataUri,
    image_uri: itemUri(receipt.imageItemId, env.storageGatewayUrl),
    mint_signature: mint.mintSignature,
    asset_id: mint.assetId,
    tree: mint.tree,
    leaf_index: mint.leafIndex === null ? null : Number(mint.leafIndex),
    created_at: facts.issuedAt.toISOString(),
  };
}

/** The known value of a transfer in dollars; `error` says why there is none at the moment. */
export type DollarValue = { valued: ValuedTransfer } | { valued: null; error: string | null };

/** `token` is the table's symbol, else the mint itself: a symbol from the chain is never trusted. */
export function presentTransfer(
  transfer: Transfer,
  network: Env['network'],
  value: DollarValue,
): VerifyBody {
  const { decimals } = transfer;
  const { valued } = value;
  const token = tokenByMint(transfer.mint, network);
  return {
    success: true,
    transaction: {
      amount: toJsonNumber(transfer.amount, decimals),
      token: token?.symbol ?? transfer.mint ?? 'SOL',
      sender: transfer.payer,
      receiver: transfer.seller,
      status: transfer.finality === 'finalized' ? 'settled' : 'pending',
      tx_signature: transfer.signature,
      amount_raw: transfer.amount.toString(),
      amount_sent: toJsonNumber(transfer.amountSent, decimals),
      amount_sent_raw: transfer.amountSent.toString(),
      decimals,
      mint: transfer.mint,
      token_program: transfer.tokenProgram,
      dtif_code: token?.dtifCode ?? null,
      group_code: token?.groupCode ?? null,
      fee_withheld: toJsonNumber(transfer.feeWithheld, decimals),
      fee_withheld_raw: transfer.feeWithheld.toString(),
      other_legs: transfer.otherLegs.map((leg) => presentLeg(leg, transfer, network)),
      ...presentBeside(besideOf(transfer), network),
      fee_payer: transfer.feePayer,
      memos: transfer.memos,
      references: transfer.references,
      slot: Number(transfer.slot),
      block_time: transfer.blockTime.toISOString(),
      usd_amount: valued && toJsonNumber(valued.usdMicros, USD_DECIMALS),
      usd_amount_raw: valued && valued.usdMicros.toString(),
      valuation: valued && valued.valuation,
      valuation_source: valued && valued.valuationSource,
      usd_provisional: valued?.isProvisional ?? false,
      valuation_error: 'error' in value ? value.error : null,
    },
  };
}

/** The value of a transfer in a country's currency. */
export function presentValue(o: {
  valued: ValuedTransfer;
  local: LocalValue;
  country: string;
}): CalculateBody {
  const { local, country } = o;
  const { transfer, token, usdMicros, valuation, valuationSource } = o.valued;
  return {
    success: true,
    usd_amount: toJsonNumber(usdMicros, USD_DECIMALS),
    local_currency: local.currency,
    local_amount: toJsonNumber(local.localMinor, local.minorUnits),
    exchange_rate: Number(local.rate),
    rate_date: local.rateDate,
    rate_source: local.rateSource,
    rate_provisional: local.provisional || o.valued.isProvisional,
    tx_signature: transfer.signature,
    country,
    token: token.symbol,
    mint: transfer.mint,
    amount: toJsonNumber(transfer.amount, transfer.decimals),
    amount_raw: transfer.amount.toString(),
    decimals: transfer.decimals,
    valuation,
    valuation_source: valuationSource,
    usd_amount_raw: usdMicros.toString(),
    local_amount_raw: local.localMinor.toString(),
    local_decimals: local.minorUnits,
    exchange_rate_raw: local.rate,
    block_time: transfer.blockTime.toISOString(),
  };
}

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
function presentLeg(
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

/** The other movements in the transaction of a transfer. */
function presentBeside(beside: ReceiptBeside, network: Network): Body {
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
