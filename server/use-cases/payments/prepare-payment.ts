import { TOKEN } from '@quittance/verify/chain/programs';
import type { Prisma } from '@/generated/prisma/client';
import { MARGIN_BLOCKS } from '@/server/chain/landing-margin';
import type { Account } from '@/server/chain/rpc';
import { tokenAddressOf } from '@quittance/verify/chain/token-accounts';
import { invalidEntry, ServiceError } from '@/server/errors';
import { notePrepared, type PreparedQuote } from '@/server/payments/awaited-payments';
import { buildPayment, findQuote, isStillOpen } from '@/server/payments/prepared-quotes';
import { paymentNetwork } from '@/server/payments/prices';
import { keyOfRequest } from '@/server/payments/quotes';
import { readValuedTransfer } from '@/server/receipts/value-transfer';
import { trusted } from '@/server/trusted';
import { proofText, readWalletProof, roleInTransfer } from '../prove-wallet';
import type { PrepareBody, PrepareInput } from '../web-schemas';
import { findUnderWay } from './find-under-way';
import { salesClosed } from './refuse-payment';
import { quoteUnknown } from './resume-purchase';
import type { Call } from '../call';

/** Network fee of one signature, and the least balance of an account (rent for 0 bytes). */
const LAMPORTS_NEEDED = 5_000n + 890_880n;

/**
 * The transaction that pays an open quote, for a wallet to sign, with the balances of the wallet.
 * If a payment for this quote or another of the same receipt was made or may still land, that
 * payment is returned instead. Nobody is asked to pay twice. The wallet headers are optional. With
 * them, a wallet that sends its transactions itself is not asked to pay again while its payment may
 * still land.
 */
export async function preparePayment(call: Call<PrepareInput>): Promise<PrepareBody> {
  const { input } = call;
  const { db, rpc, env } = call.service;
  const { request, wallet } = input;
  const quote = await openQuoteOf(call, input);
  const proven = provenFor(call, input);
  await requireMayPay(call, request, wallet);
  const closed = await salesClosed(null);
  if (closed) throw closed;
  const underWay = await findUnderWay(call, quote, input);
  if (underWay !== null) return { state: 'under_way', quote_id: underWay };

  const { usdcMint: mint } = paymentNetwork(env.network);
  const accountOf = (owner: string) => tokenAddressOf({ wallet: owner, mint, tokenProgram: TOKEN });
  const [from, to] = await Promise.all([accountOf(wallet), accountOf(quote.payTo)]);
  const [recent, lamports, account] = await Promise.all([
    rpc.getLatestBlockhash(),
    rpc.getBalance(wallet),
    rpc.getAccountInfo(from),
  ]);
  const usdc = amountOf(account);
  const landsUntil = recent.lastValidBlockHeight + MARGIN_BLOCKS;
  const sends = input.mode === 'send';
  const isNoted = await notePrepared(db, {
    id: quote.id,
    request: trusted<Prisma.InputJsonObject>(request, 'it was parsed from JSON'),
    landsUntil: sends ? landsUntil : null,
    wallet,
    preparedBy: sends ? proven : null,
  });
  if (!isNoted) return { state: 'under_way', quote_id: quote.id };
  return {
    state: 'ready',
    transaction: buildPayment({
      payer: wallet,
      from,
      to,
      mint,
      recent,
      amountMicros: quote.priceMicros,
      memo: quote.id,
    }),
    lands_until: landsUntil.toString(),
    amount_raw: quote.priceMicros.toString(),
    pay_to: quote.payTo,
    has_usdc: usdc >= quote.priceMicros,
    usdc_raw: usdc.toString(),
    has_sol: lamports >= LAMPORTS_NEEDED,
    lamports: lamports.toString(),
    lamports_needed: LAMPORTS_NEEDED.toString(),
  };
}

/**
 * The wallet of the input when it proved itself for the transaction; null without a proof of its own. A
 * statement has no text that its wallet signs before it pays.
 */
function provenFor({ service, actor }: Call, input: PrepareInput): string | null {
  const { request, wallet } = input;
  if (!('tx_signature' in request)) return null;
  const text = proofText(service.env.serviceName, request.tx_signature);
  return readWalletProof(actor, text) === wallet ? wallet : null;
}

/** Throws the 403 for a wallet whose payment would buy nothing. */
async function requireMayPay(
  call: Call,
  request: PrepareInput['request'],
  wallet: string,
): Promise<void> {
  if ('tx_signature' in request) {
    const signature = request.tx_signature;
    roleInTransfer(wallet, (await readValuedTransfer(call.service, { signature })).transfer);
  } else if (request.wallet_address !== wallet)
    throw new ServiceError(
      'not_a_participant',
      `Only ${request.wallet_address}, the wallet of the statement, may pay for it.`,
      { details: { wallet } },
    );
}

async function openQuoteOf(call: Call, input: PrepareInput): Promise<PreparedQuote> {
  const { db } = call.service;
  const quote = await findQuote(db, input.quote_id);
  if (!quote || !(await isStillOpen(db, quote))) throw quoteUnknown(input.quote_id);
  const key = keyOfRequest({
    method: 'POST',
    path: 'tx_signature' in input.request ? '/mint' : '/statement',
    body: input.request,
  });
  if (quote.path === key.path && quote.bodySha256 === key.bodySha256) return quote;
  throw invalidEntry('request', 'is not the purchase of this quote');
}

/** Offset of the amount in a token account (SPL Token, state.rs). */
const AMOUNT_AT = 64;

function amountOf(account: Account | null): bigint {
  if (account === null || account.owner !== TOKEN || account.data.length < AMOUNT_AT + 8) return 0n;
  return Buffer.from(account.data).readBigUInt64LE(AMOUNT_AT);
}
