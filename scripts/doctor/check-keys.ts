import { rpc } from '@/server/chain/rpc';
import { db } from '@/server/db/client';
import type { Env } from '@/server/env';
import { toDecimal } from '@quittance/verify/money';
import { listCollections } from '@/server/nft/collections';
import { listTrees } from '@/server/nft/trees';
import { checkAccounts } from '@/server/payments/check-accounts';
import { storageBalance } from '@/server/storage/request-storage';
import { runCheck, type Finding } from './finding';

export type Balances = {
  findings: Finding[];
  /** Null when no node answered. */
  minterLamports: bigint | null;
  feePayerLamports: bigint | null;
  storageLamports: bigint | null;
};
export type Trees = { findings: Finding[]; left: bigint };

/** Balances of the minter and the fee payer on chain and of the storage key at its node. */
export async function checkKeys(env: Env): Promise<Balances> {
  let minterLamports: bigint | null = null;
  let feePayerLamports: bigint | null = null;
  let storageLamports: bigint | null = null;
  const owner = env.storage.publicKey;
  const findings = await Promise.all([
    runCheck(`minter ${env.minter.publicKey}`, async () => {
      minterLamports = await rpc().getBalance(env.minter.publicKey);
      return `${toDecimal(minterLamports, 9)} SOL`;
    }),
    runCheck(`fee payer ${env.feePayer.publicKey}`, async () => {
      feePayerLamports = await rpc().getBalance(env.feePayer.publicKey);
      return `${toDecimal(feePayerLamports, 9)} SOL`;
    }),
    runCheck(`storage ${owner}`, async () => {
      storageLamports = await storageBalance({ uploadUrl: env.storageUploadUrl, owner });
      return `${toDecimal(storageLamports, 9)} SOL at the storage node`;
    }),
    runCheck(`payments to ${env.payTo}`, async () => {
      const state = await checkAccounts({ rpc: rpc(), env });
      if (!state.open) throw new Error(`are refused: ${state.reason}`);
      if (state.notSettled !== undefined)
        throw new Error(
          `are accepted only if clients send them themselves, not by x402: ${state.notSettled}`,
        );
      return 'are taken';
    }),
  ]);
  return { findings, minterLamports, feePayerLamports, storageLamports };
}

/** Recorded trees and collections, with the space for the current minter. */
export async function checkTrees(env: Env): Promise<Trees> {
  let left = 0n;
  const findings: Finding[] = [];
  const listing = await runCheck('trees', async () => {
    const trees = await listTrees(db(), env.network);
    for (const tree of trees) {
      // A tree accepts mints of one key only.
      const isOurs = tree.minter === env.minter.publicKey;
      const open = isOurs && tree.fullAt === null && tree.retiredAt === null;
      const room = open ? tree.capacity - tree.minted : 0n;
      left += room;
      findings.push({
        ok: true,
        name: `tree ${tree.address}`,
        detail: `holds ${tree.minted} of ${tree.capacity}${open ? '' : isOurs ? ', closed' : `, of minter ${tree.minter}`}`,
      });
    }
    return trees.length === 0 ? 'none yet' : `space for ${left} receipts`;
  });
  const collections = await runCheck('collections', async () => {
    const all = await listCollections(db(), env.network);
    const ours = all.filter((one) => one.minter === env.minter.publicKey && one.holds !== null);
    return ours.length === 0
      ? 'none of this minter yet'
      : ours
          .map(({ kind, holds, address }) => {
            const frozen = kind === 'frozen' ? 'frozen ' : '';
            return `of ${frozen}${holds ?? 'nothing'}s ${address}`;
          })
          .join(', ');
  });
  return { findings: [listing, ...findings, collections], left };
}
