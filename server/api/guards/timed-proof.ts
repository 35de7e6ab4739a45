import { z } from 'zod';
import { ServiceError } from '@/server/errors';
import { takeOnce } from '@/server/wallets/take-once';
import type { RequestContext } from '../request-context';
import { readWalletProof, type ProvenWallet } from './wallet-proof';

/** How far the time that a wallet signs may be from ours, either way. */
const WINDOW_MS = 600_000;
const time = z.iso.datetime();

/**
 * The wallet that signed a text with a time in it, which counts once. `textOf` builds the text from
 * wallet and time. Throws 401: no headers, a wrong signature, a time too far off, used before.
 */
export async function requireTimedProof(
  ctx: RequestContext,
  textOf: (o: { wallet: string; time: string }) => string,
): Promise<ProvenWallet> {
  const { db, clock } = ctx.service;
  const now = clock.now();
  const sent = time.safeParse(ctx.walletTime).data;
  const example = textOf({
    wallet: ctx.proof.address ?? '{wallet}',
    time: sent ?? now.toISOString(),
  });
  if (ctx.proof.address === null && ctx.proof.signature === null)
    throw new ServiceError(
      'wallet_proof_missing',
      `This needs the headers X-Wallet-Address, X-Wallet-Signature and X-Wallet-Time. Sign exactly this text with the wallet: ${example}`,
      { details: { sign: example } },
    );
  const distance = sent === undefined ? null : Math.abs(Date.parse(sent) - now.getTime());
  if (distance === null || distance > WINDOW_MS)
    throw new ServiceError(
      'proof_time_wrong',
      `X-Wallet-Time must be the UTC time of now (here ${now.toISOString()}), within ten minutes, and the same as in the signed text. Sign a text of this form: ${textOf({ wallet: ctx.proof.address ?? '{wallet}', time: now.toISOString() })}`,
    );
  const wallet = readWalletProof(ctx.proof, example);
  if (wallet === null) throw new Error('a proof that is there was read as none');
  const expiresAt = new Date(now.getTime() + 2 * WINDOW_MS);
  if (await takeOnce(db, { text: example, expiresAt })) return wallet;
  throw new ServiceError(
    'proof_time_wrong',
    'This signed text was used before: each counts once. Sign one with the time of now.',
  );
}
