import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection, Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js';
import { fundWallet } from '@/devnet/client/fund-wallet';
import { payToken, sendAndConfirm, type TOKENS } from '@/devnet/client/pay-token';
import { walletOf, type Wallet } from '@/devnet/client/wallet';
import { parseSecretKey } from '@/server/keys';
import { startService, type TestService } from './start-service';
import { runCron } from './use-dashboard';
import { makeSale, offerOf, payOffer, type Offer, type Sale } from './use-payments';
import { call, mint, type Answer } from './use-service';

const TOKEN = 'ledger-token-0123456789-0123456789-01234567';
const ADMIN = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };

export type LedgerService = Awaited<ReturnType<typeof startLedgerService>>;
export type PaidSale = Sale & { offer: Offer; payment: string };

/**
 * A whole service, the wallet PAY_TO as its operator holds it, and the actions of an operator and a
 * payer.
 */
export async function startLedgerService() {
  const service = await startService({ env: { ADMIN_TOKEN: TOKEN } });
  const payTo = payToOf(service);
  await fundWallet(service.rpcUrl, { wallet: payTo.address, sol: 1 });

  const final = (signature: string) => awaitFinalized(service, signature);
  const admin = (path: string, body: object = {}, at: TestService = service): Promise<Answer> =>
    call(at, path, { method: 'POST', headers: ADMIN, body: JSON.stringify(body) });

  return {
    service,
    payTo,
    final,
    admin,
    shown: (signature: string) => call(service, `/payments/${signature}`),
    story: (signature: string) => call(service, `/admin/payments/${signature}`, { headers: ADMIN }),
    held: () => call(service, '/admin/held', { headers: ADMIN }),
    hold: (payment: string, isHeld: boolean) =>
      admin('/admin/refunds', { payment_signature: payment, hold: isHeld }),
    refund: (payment: string, signature: string, at?: TestService) =>
      admin('/admin/refunds', { payment_signature: payment, refund_signature: signature }, at),
    withdrawal: (signature: string, note?: string) =>
      admin('/admin/withdrawals', { signature, ...(note === undefined ? {} : { note }) }),
    scan: () => runCron(service, 'scan-ledger'),
    /** The ledger's rows of a transaction. */
    entries: (signature: string) =>
      service.prisma.ledgerEntry.findMany({ where: { signature, direction: { not: 'none' } } }),
    receiptsOf: (signature: string) =>
      service.prisma.receipt.count({ where: { txSignature: signature } }),
    metrics: async () => (await fetch(new URL('/metrics', service.baseUrl))).text(),
    /** Sends from PAY_TO, as its operator does by hand. */
    giveBack: async (to: string, amount: bigint, token: keyof typeof TOKENS = 'USDC') =>
      final(await payToken(service.rpcUrl, { from: payTo, to, token, amount })),
    sendSol: async (from: Wallet, to: string, lamports: number) =>
      final(await sendAndConfirm(service.rpcUrl, solTransfer(from, to, lamports), [from.keypair])),
    /** A sale, its offer and a payment with the memo, which is final and not presented. */
    async paidSale(amount?: bigint): Promise<PaidSale> {
      const sale = await makeSale(service);
      const offer = offerOf(await mint(service, { signature: sale.signature }));
      const paid = { from: sale.payer, offer, ...(amount === undefined ? {} : { amount }) };
      return { ...sale, offer, payment: await final(await payOffer(service, paid)) };
    },
  };
}

/** Waits until the node has a transaction as final, and gives its signature. */
export async function awaitFinalized(service: TestService, signature: string): Promise<string> {
  const connection = new Connection(service.rpcUrl, 'finalized');
  while (!(await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 })))
    await sleep(100);
  return signature;
}

/** The wallet PAY_TO as its operator holds it. */
export const payToOf = (service: TestService): Wallet => walletOf(keypairOf(service));

function keypairOf(service: TestService): Keypair {
  const folder = dirname(service.appEnv['FEE_PAYER_KEY_FILE'] ?? '');
  const secret = parseSecretKey(readFileSync(join(folder, 'pay-to.json'), 'utf8'));
  if (!secret) throw new Error('the stack made no key');
  const keypair = Keypair.fromSecretKey(secret);
  if (keypair.publicKey.toBase58() !== service.appEnv['PAY_TO'])
    throw new Error('PAY_TO is another wallet than the one of the stack');
  return keypair;
}

function solTransfer(from: Wallet, to: string, lamports: number): Transaction {
  const ends = { fromPubkey: from.keypair.publicKey, toPubkey: new PublicKey(to) };
  return new Transaction().add(SystemProgram.transfer({ ...ends, lamports }));
}
