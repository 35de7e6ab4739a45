import { randomBytes } from 'node:crypto';
import { createTransferCheckedInstruction } from '@solana/spl-token';
import {
  ComputeBudgetProgram,
  Connection,
  PublicKey,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { z } from 'zod';
import type { Wallet } from '@/devnet/client/wallet';
import { memo as memoOf, usdcAccount, type MemoVersion } from './make-payment';
import type { TestService } from './start-service';
import { decodeHeader } from './use-payments';
import type { Answer } from './use-service';

const requirement = z.looseObject({
  amount: z.string().optional(),
  maxAmountRequired: z.string().optional(),
  asset: z.string(),
  payTo: z.string(),
  network: z.string(),
  extra: z.looseObject({ feePayer: z.string(), memo: z.string() }),
});
const offer = z.looseObject({ accepts: z.tuple([requirement]) });

export type Version = 'v1' | 'v2';

/**
 * Accepts a 402 like a standard client: signs a transfer whose network fee the service pays, and
 * returns the header with it. `memo: null` writes random bytes, like clients that ignore
 * `extra.memo`.
 */
export async function signOffer(
  service: TestService,
  o: {
    answer: Answer;
    from: Wallet;
    version: Version;
    memo?: string | null;
    memoProgram?: MemoVersion;
    amount?: bigint;
  },
): Promise<Record<string, string>> {
  const { answer, from, version } = o;
  const terms = version === 'v1' ? answer.body : decodeHeader(answer, 'payment-required');
  const [accepted] = offer.parse(terms).accepts;
  const amount = o.amount ?? BigInt(accepted.amount ?? accepted.maxAmountRequired ?? '');
  const text = o.memo === undefined ? accepted.extra.memo : o.memo;
  const connection = new Connection(service.rpcUrl, 'confirmed');
  const { blockhash } = await connection.getLatestBlockhash();
  const message = new TransactionMessage({
    payerKey: new PublicKey(accepted.extra.feePayer),
    recentBlockhash: blockhash,
    instructions: [
      ComputeBudgetProgram.setComputeUnitLimit({ units: 60_000 }),
      ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1 }),
      createTransferCheckedInstruction(
        usdcAccount(from.address),
        new PublicKey(accepted.asset),
        usdcAccount(accepted.payTo),
        from.keypair.publicKey,
        amount,
        6,
      ),
      memoOf(text ?? randomBytes(16).toString('hex'), o.memoProgram),
    ],
  }).compileToV0Message();
  const transaction = new VersionedTransaction(message);
  transaction.sign([from.keypair]);
  const payload = { transaction: Buffer.from(transaction.serialize()).toString('base64') };
  const json =
    version === 'v1'
      ? { x402Version: 1, scheme: 'exact', network: accepted.network, payload }
      : { x402Version: 2, accepted, payload };
  const value = Buffer.from(JSON.stringify(json)).toString('base64');
  return version === 'v1' ? { 'x-payment': value } : { 'payment-signature': value };
}
