import { Keypair, SystemProgram, Transaction } from '@solana/web3.js';
import { expect, it } from 'vitest';
import { hasDurableNonce, readWireMessage } from './read-payment-header';

const wallet = Keypair.generate();
const nonce = Keypair.generate().publicKey;

/** Whether a signed transaction of these instructions may land at any time. */
function neverEnds(...instructions: Parameters<Transaction['add']>): boolean {
  const transaction = new Transaction({
    feePayer: wallet.publicKey,
    blockhash: Keypair.generate().publicKey.toBase58(),
    lastValidBlockHeight: 0,
  }).add(...instructions);
  transaction.sign(wallet);
  const read = readWireMessage(transaction.serialize());
  if (!read) throw new Error('it cannot be read');
  return hasDurableNonce(read.transaction);
}
const advance = SystemProgram.nonceAdvance({
  noncePubkey: nonce,
  authorizedPubkey: wallet.publicKey,
});
const move = SystemProgram.transfer({
  fromPubkey: wallet.publicKey,
  toPubkey: nonce,
  lamports: 1,
});

it('a transaction that begins with a nonce never ends, any other does', () => {
  expect(neverEnds(advance, move)).toBe(true);
  expect(neverEnds(move)).toBe(false);
  // Only as the first instruction does it replace the blockhash.
  expect(neverEnds(move, advance)).toBe(false);
});
