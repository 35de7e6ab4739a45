import type { Signer, TransactionBuilder } from '@metaplex-foundation/umi';
import bs58 from 'bs58';
import { offlineUmi } from './offline-umi';

/** A signed transaction: base58 signature, wire bytes, and the last block height it can land at. */
export type SignedTransaction = {
  signature: string;
  wire: Uint8Array<ArrayBuffer>;
  lastValidBlockHeight: bigint;
};

/** Signs what `builder` holds, with `payer` paying, for the life of `blockhash`. Sends nothing. */
export async function signTransaction(
  builder: TransactionBuilder,
  payer: Signer,
  blockhash: { blockhash: string; lastValidBlockHeight: bigint },
): Promise<SignedTransaction> {
  const umi = offlineUmi();
  const signed = await builder
    .setFeePayer(payer)
    .setBlockhash({
      blockhash: blockhash.blockhash,
      lastValidBlockHeight: Number(blockhash.lastValidBlockHeight),
    })
    .buildAndSign(umi);
  return {
    signature: bs58.encode(signed.signatures[0] ?? new Uint8Array()),
    wire: Uint8Array.from(umi.transactions.serialize(signed)),
    lastValidBlockHeight: blockhash.lastValidBlockHeight,
  };
}
