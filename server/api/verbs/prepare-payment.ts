import type { Prisma } from '@/generated/prisma/client';
import { TOKEN } from '@quittance/verify/chain/programs';
import type { Account } from '@/server/chain/rpc';
import { tokenAddressOf } from '@/server/chain/token-address';
import { ServiceError } from '@/server/errors';
import { notePrepared, type PreparedQuote } from '@/server/payments/awaited-payments';
import { buildPayment } from '@/server/payments/build-payment';
import { MARGIN_BLOCKS } from '@/server/chain/landing-margin';
import { findQuote, isStillOpen } from '@/server/payments/prepared-quotes';
import { paymentNetwork } from '@/server/payments/payment-network';
import { keyOfRequest } from '@/server/payments/request-key';
import { readValuedTransfer } from '@/server/receipts/value-transfer';
import { trusted } from '@/server/trusted';
import { roleInTransfer } from '../guards/participant';
import { proofText, readWalletProof } from '../guards/wallet-proof';
import { findUnderWay } from '../payment/find-under-way';
import { salesClosed } from '../payment/refuse-payment';
import type { RequestContext } from '../request-context';
import type { PrepareBody, PrepareInput } from '../web-schemas';
import { quoteUnknown } from './resume-purchase';

/** Network fee of one signature, and what an account must keep to stay (rent for 0 bytes). */
const LAMPORTS_NEEDED = 5_000n + 890_880n;

/**
 * The transaction that pays an open quote, for a wallet to sign, with what the wallet has. A payment that
 * was made or may still land, for this quote or another of the same receipt, is named instead: nobody is
 * asked to pay twice. The wallet headers are optional: with them, a wallet that sends by itself is not asked
 * to pay a second time while its payment may still land.
 */
export async function preparePayment(
  ctx: RequestContext,
  input: PrepareInput,
): Promise<PrepareBody> {
  const { db, rpc, env } = ctx.service;
  const { request, wallet } = input;
  const quote = await openQuoteOf(ctx, input);
  const proven = provenFor(ctx, input);
  await requireMayPay(ctx, request, wallet);
  const closed = await salesClosed(null);
  if (closed) throw closed;
  const underWay = await findUnderWay(ctx, quote, input);
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
      ...{ payer: wallet, from, to, mint, recent },
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
function provenFor({ service, proof }: RequestContext, input: PrepareInput): string | null {
  const { request, wallet } = input;
  if (!('tx_signature' in request)) return null;
  const text = proofText(service.env.serviceName, request.tx_signature);
  return readWalletProof(proof, text) === wallet ? wallet : null;
}

/** Throws the 403 for a wallet whose payment would buy nothing. */
async function requireMayPay(
  ctx: RequestContext,
  request: PrepareInput['request'],
  wallet: string,
): Promise<void> {
  if ('tx_signature' in request) {
    const signature = request.tx_signature;
    roleInTransfer(wallet, (await readValuedTransfer(ctx.service, { signature })).transfer);
  } else if (request.wallet_address !== wallet)
    throw new ServiceError(
      'not_a_participant',
      `A statement is paid for by the wallet it is of, ${request.wallet_address}.`,
      { details: { wallet } },
    );
}

async function openQuoteOf(ctx: RequestContext, input: PrepareInput): Promise<PreparedQuote> {
  const { db } = ctx.service;
  const quote = await findQuote(db, input.quote_id);
  if (!quote || !(await isStillOpen(db, quote))) throw quoteUnknown(input.quote_id);
  const key = keyOfRequest({
    method: 'POST',
    path: 'tx_signature' in input.request ? '/mint' : '/statement',
    body: input.request,
  });
  if (quote.path === key.path && quote.bodySha256 === key.bodySha256) return quote;
  throw new ServiceError(
    'invalid_request',
    'Invalid request: request: is not what the quote is for',
    {
      details: { request: 'is not what the quote is for' },
    },
  );
}

/** Where a token account holds its amount (SPL Token, state.rs). */
const AMOUNT_AT = 64;

function amountOf(account: Account | null): bigint {
  if (account === null || account.owner !== TOKEN || account.data.length < AMOUNT_AT + 8) return 0n;
  return Buffer.from(account.data).readBigUInt64LE(AMOUNT_AT);
}
