import bs58 from 'bs58';
import { COLLECTION_AT, isMintInstruction, optionalAccount } from '@quittance/verify/nft/leaf';
import { offlineUmi } from './offline-umi';

/** Collection that a signed mint transaction mints into; null for one without. Throws Error for other bytes. */
export function signedCollection(wire: Uint8Array): string | null {
  const { message } = offlineUmi().transactions.deserialize(wire);
  const accounts = message.accounts.map(String);
  for (const { programIndex, accountIndexes, data } of message.instructions) {
    const read = { program: accounts[programIndex] ?? '', data: Buffer.from(data) };
    if (isMintInstruction(read))
      return optionalAccount(accounts[accountIndexes[COLLECTION_AT] ?? -1]);
  }
  throw new Error(`${bs58.encode(wire.subarray(1, 65))} is no mint transaction`);
}
