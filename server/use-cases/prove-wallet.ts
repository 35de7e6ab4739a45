import type { Transfer } from '@quittance/verify/chain/transfer';
import { toDecimal } from '@quittance/verify/money';
import { isSignature, isWalletAddress } from '@quittance/verify/wallets/base58';
import { z } from 'zod';
import { ServiceError } from '@/server/errors';
import type { ReportedBy } from '@/server/receipts/write-receipt';
import { takeOnce } from '@/server/wallets/sign-in';
import { verifyWalletSignature } from '@/server/wallets/wallet-signature';
import type { Actor, Call, ProvenWallet, ShownProof } from './call';

/** The text a wallet signs for a transaction (its signature), or to retry a statement (its id). */
export function proofText(serviceName: string, subject: string): string {
  return `${serviceName}:${subject}`;
}

/**
 * The wallet behind the X-Wallet headers, or null when neither is there. One alone, a malformed or a
 * wrong one is a 401 whose text shows the exact string to sign.
 */
export function readWalletProof(actor: Actor, text: string): ProvenWallet | null {
  const { address, signature } = shownBy(actor);
  if (address === null && signature === null) return null;
  if (address === null || signature === null)
    throw new ServiceError(
      'wallet_proof_missing',
      `Send X-Wallet-Address and X-Wallet-Signature together. ${address === null ? 'X-Wallet-Address' : 'X-Wallet-Signature'} is missing. Sign exactly this text with the wallet: ${text}`,
      { details: { sign: text } },
    );
  if (isProof(address, signature, text)) return address;
  throw new ServiceError(
    'wallet_proof_invalid',
    `X-Wallet-Signature is not a base58 Ed25519 signature by the wallet in X-Wallet-Address over exactly this text: ${text}`,
    { details: { sign: text } },
  );
}

/** The wallet proof that an actor sends. An actor that is known in another way sends none. */
function shownBy(actor: Actor): ShownProof {
  return actor.kind === 'anyone' ? actor.proof : { address: null, signature: null };
}

/** The refusal for a request that cannot continue without a wallet. */
export function walletProofNeeded(text: string): ServiceError {
  return new ServiceError(
    'wallet_proof_missing',
    `A free receipt needs the headers X-Wallet-Address and X-Wallet-Signature of the payer or the seller. Sign exactly this text with the wallet: ${text}`,
    { details: { sign: text } },
  );
}

/**
 * Whether a request proves that the payer of a transaction made it. The proof is wallet headers of
 * that wallet, or a v1 or v2 payload that it signed for this request. A payment that anybody could
 * have seen on chain proves nothing.
 */
export function provesPayer(o: {
  role: ReportedBy | null;
  payer: string;
  taken: { isSignedByPayer: boolean; payer: string } | null;
}): boolean {
  const { role, payer, taken } = o;
  return role === 'payer' || (taken?.isSignedByPayer === true && taken.payer === payer);
}

function isProof(address: string, signature: string, text: string): address is ProvenWallet {
  return (
    isWalletAddress(address) &&
    isSignature(signature) &&
    verifyWalletSignature({ wallet: address, signature, text })
  );
}

/** How far the time that a wallet signs may be from ours, either way. */
const WINDOW_MS = 600_000;
const time = z.iso.datetime();

/**
 * The wallet that signed a text with a time in it, which counts once. `textOf` builds the text from
 * wallet and time. Throws 401: no headers, a wrong signature, a time too far off, used before.
 */
export async function requireTimedProof(
  { service, actor }: Pick<Call, 'service' | 'actor'>,
  walletTime: string | null,
  textOf: (o: { wallet: string; time: string }) => string,
): Promise<ProvenWallet> {
  const { db, clock } = service;
  const proof = shownBy(actor);
  const now = clock.now();
  const sent = time.safeParse(walletTime).data;
  const example = textOf({
    wallet: proof.address ?? '{wallet}',
    time: sent ?? now.toISOString(),
  });
  if (proof.address === null && proof.signature === null)
    throw new ServiceError(
      'wallet_proof_missing',
      `This needs the headers X-Wallet-Address, X-Wallet-Signature and X-Wallet-Time. Sign exactly this text with the wallet: ${example}`,
      { details: { sign: example } },
    );
  const distance = sent === undefined ? null : Math.abs(Date.parse(sent) - now.getTime());
  if (distance === null || distance > WINDOW_MS)
    throw new ServiceError(
      'proof_time_wrong',
      `X-Wallet-Time must be the current UTC time (here ${now.toISOString()}), within ten minutes, and the same as in the signed text. Sign a text of this form: ${textOf({ wallet: proof.address ?? '{wallet}', time: now.toISOString() })}`,
    );
  const wallet = readWalletProof(actor, example);
  if (wallet === null) throw new Error('a proof that was sent was read as missing');
  const expiresAt = new Date(now.getTime() + 2 * WINDOW_MS);
  if (await takeOnce(db, { text: example, expiresAt })) return wallet;
  throw new ServiceError(
    'proof_time_wrong',
    'This signed text was used before. Each text counts once. Sign a text with the current time.',
  );
}

/**
 * The wallet headers of a request. A lone address that is no Solana address is as if it were not there:
 * one common client sends its EVM address with every request. A lone Solana address stays, and is refused.
 */
export function readProofHeaders(headers: { get(name: string): string | null }): ShownProof {
  const address = headers.get('x-wallet-address');
  const signature = headers.get('x-wallet-signature');
  const isForeign = signature === null && address !== null && !isWalletAddress(address.trim());
  return { address: isForeign ? null : address, signature };
}

/** `payer` or `seller` for a party of a transaction, null without a wallet; throws 403 for anybody else. */
export function roleOf(
  wallet: string | null,
  parties: Pick<Transfer, 'payer' | 'seller'>,
): ReportedBy | null {
  return roleIn(wallet, parties, () => notInvolved(wallet ?? ''));
}

/** As {@link roleOf} of a transfer that was just read: the 403 says who can sign and who else was paid. */
export function roleInTransfer(wallet: string | null, transfer: Transfer): ReportedBy | null {
  return roleIn(wallet, transfer, () => refusal(wallet ?? '', transfer));
}

function roleIn(
  wallet: string | null,
  { payer, seller }: Pick<Transfer, 'payer' | 'seller'>,
  why: () => string,
): ReportedBy | null {
  if (wallet === null) return null;
  if (wallet === payer) return 'payer';
  if (wallet === seller) return 'seller';
  throw new ServiceError('not_a_participant', why(), { details: { wallet } });
}

function notInvolved(wallet: string): string {
  return `The wallet ${wallet} is not involved in this transaction. It is neither its payer nor its seller.`;
}

function refusal(wallet: string, transfer: Transfer): string {
  const leg = transfer.otherLegs.find(({ owner }) => owner === wallet);
  if (leg)
    return `The wallet ${wallet} is neither the payer nor the seller of this transaction: it received ${toDecimal(leg.amount, leg.decimals)} ${leg.mint ?? 'SOL'} beside the payment. A receipt is for its payer and for ${transfer.seller}; a statement (POST /statement) lists every leg of a wallet.`;
  const words = notInvolved(wallet);
  const { payer, seller, payerKind, sellerKind } = transfer;
  if (payerKind === 'program' && sellerKind === 'program')
    return `${words} Both parties are program accounts, which cannot sign, so nobody can ask for this receipt.`;
  if (payerKind === 'program')
    return `${words} The payer ${payer} is a program account, which cannot sign; the seller ${seller} may ask.`;
  if (sellerKind === 'program')
    return `${words} The seller ${seller} is a program account, which cannot sign; the payer ${payer} may ask.`;
  return words;
}
