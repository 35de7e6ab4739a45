import {
  createAssociatedTokenAccountIdempotentInstruction,
  createTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
} from '@solana/spl-token';
import { Connection, PublicKey, Transaction, TransactionInstruction } from '@solana/web3.js';
import { MEMO_PROGRAMS } from '@/devnet/chain/addresses';
import { sendAndConfirm, TOKENS } from '@/devnet/client/pay-token';
import type { Wallet } from '@/devnet/client/wallet';
import type { TestService } from './start-service';

const MINT = new PublicKey(TOKENS.USDC.mint);

/** USDC account of a wallet. */
export function usdcAccount(owner: string): PublicKey {
  return getAssociatedTokenAddressSync(MINT, new PublicKey(owner), true);
}

/** A transfer of USDC to the account of `to`, or to `account`. */
export function transfer(o: { from: Wallet; to: string; amount: bigint; account?: PublicKey }) {
  const { from, to, amount, account = usdcAccount(to) } = o;
  const source = usdcAccount(from.address);
  return createTransferCheckedInstruction(source, MINT, account, from.keypair.publicKey, amount, 6);
}

export function openAccount(payer: Wallet, owner: string): TransactionInstruction {
  const wallet = new PublicKey(owner);
  return createAssociatedTokenAccountIdempotentInstruction(
    payer.keypair.publicKey,
    usdcAccount(owner),
    wallet,
    MINT,
  );
}

export type MemoVersion = keyof typeof MEMO_PROGRAMS;

/**
 * A memo without signers, by the program that most clients use. `version` names another of the
 * three.
 */
export function memo(text: string, version: MemoVersion = 'v3'): TransactionInstruction {
  return new TransactionInstruction({
    programId: new PublicKey(MEMO_PROGRAMS[version]),
    keys: [],
    data: Buffer.from(text, 'utf8'),
  });
}

/** Sends instructions as one confirmed transaction. The first signer pays the network fee. */
export function sendAll(
  service: TestService,
  instructions: TransactionInstruction[],
  signers: Wallet[],
): Promise<string> {
  const transaction = new Transaction().add(...instructions);
  return sendAndConfirm(
    service.rpcUrl,
    transaction,
    signers.map(({ keypair }) => keypair),
  );
}

/** USDC of a wallet, in base units. */
export async function tokenBalance(service: TestService, owner: string): Promise<bigint> {
  const connection = new Connection(service.rpcUrl, 'processed');
  const { value } = await connection.getTokenAccountBalance(usdcAccount(owner));
  return BigInt(value.amount);
}
