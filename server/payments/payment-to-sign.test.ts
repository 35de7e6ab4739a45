import { Transaction } from '@solana/web3.js';
import { expect, it } from 'vitest';
import { makeWallet } from '@/devnet/client/wallet';
import { buildPayment } from './prepared-quotes';

const MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

it('builds one USDC transfer and the memo, to be signed by the payer alone, who pays the network', () => {
  const [payer, from, to] = [makeWallet(), makeWallet(), makeWallet()];
  const wire = buildPayment({
    payer: payer.address,
    from: from.address,
    to: to.address,
    mint: MINT,
    amountMicros: 100_000n,
    memo: 'QT000000000000000000',
    recent: { blockhash: makeWallet().address, lastValidBlockHeight: 150n },
  });
  const read = Transaction.from(Buffer.from(wire, 'base64'));
  expect(read.feePayer?.toBase58()).toBe(payer.address);
  expect(read.signatures.map(({ publicKey }) => publicKey.toBase58())).toEqual([payer.address]);
  const [transfer, memo] = read.instructions;
  expect(read.instructions).toHaveLength(2);
  expect(transfer?.keys.map(({ pubkey }) => pubkey.toBase58())).toEqual([
    ...[from.address, MINT, to.address, payer.address],
  ]);
  // TransferChecked, the amount in micro-USDC, 6 decimals.
  expect([...(transfer?.data ?? [])]).toEqual([12, 160, 134, 1, 0, 0, 0, 0, 0, 6]);
  expect(memo?.data.toString('utf8')).toBe('QT000000000000000000');
});
