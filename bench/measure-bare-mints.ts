import { mintV2 } from '@metaplex-foundation/mpl-bubblegum';
import { keypairIdentity, publicKey } from '@metaplex-foundation/umi';
import { createUmi } from '@metaplex-foundation/umi-bundle-defaults';
import { setTimeout as sleep } from 'node:timers/promises';
import { mintMetadataArgs } from '@quittance/verify/nft/leaf';
import { timeAll } from './stats';

/** Time in ms for `count` mints by umi alone, `width` at once, each polled until confirmed. */
export async function measureBareMints(o: {
  rpcUrl: string;
  tree: string;
  minterSecret: Uint8Array;
  owner: string;
  count: number;
  width: number;
}): Promise<number> {
  const umi = createUmi(o.rpcUrl, 'confirmed');
  umi.use(keypairIdentity(umi.eddsa.createKeypairFromSecretKey(o.minterSecret)));
  const items = Array.from({ length: o.count }, (_, n) => n);
  const { totalMs } = await timeAll(items, o.width, async (n) => {
    const blockhash = await umi.rpc.getLatestBlockhash();
    const signed = await mintV2(umi, {
      leafOwner: publicKey(o.owner),
      merkleTree: publicKey(o.tree),
      metadata: mintMetadataArgs({
        name: `Bare ${n}`,
        uri: `http://127.0.0.1/${n}`,
        creator: umi.identity.publicKey,
        collection: null,
      }),
    })
      .setBlockhash(blockhash)
      .buildAndSign(umi);
    const signature = await umi.rpc.sendTransaction(signed);
    for (;;) {
      const [status] = await umi.rpc.getSignatureStatuses([signature]);
      if (status && status.commitment !== 'processed') return;
      await sleep(20);
    }
  });
  return totalMs;
}
