import { deserializeCollectionV1, MPL_CORE_PROGRAM_ID } from '@metaplex-foundation/mpl-core';
import { lamports, publicKey } from '@metaplex-foundation/umi';
import { RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import { decodeLeafEvents, type LeafEvent } from '@quittance/verify/nft/leaf';
import type { Collection } from '@/generated/prisma/client';
import type { Rpc } from '@/server/chain/rpc';
import type { ServiceContext } from '@/server/context';
import { writeAudit } from '@/server/db/audit';
import { restoreCollection } from '@/server/nft/collections';
import { listTrees } from '@/server/nft/trees';
import { restoreReceipt } from '@/server/receipts/restore-receipt';
import { restoreStatement, statementIdIn } from '@/server/statements/find-statement';
import { type KeyKind, listIssuerKeys } from '@/server/storage/issuer-keys';
import { REBUILT } from './awaits-rebuild';
import {
  emptyReport,
  finalHistoryOf,
  getListed,
  leaveAlone,
  onRow,
  rebuildPayments,
  type Rebuilt,
  type Report,
} from './rebuild-payments';

/**
 * Restores, after an old backup, everything that the chain and permanent storage hold. Receipts and
 * their NFTs come from the histories of our trees. Payments come from the histories of PAY_TO and
 * of its earlier values: those on record, and `payTo`. The ledger is read again.
 *
 * A payment counts as having bought the receipt or statement of its payer at its price and in its
 * time. A payment that fits none is `unused`, so that its payer may still use it.
 *
 * Each row is written in its own transaction. A failing row is reported, and the rest continues.
 * Safe to repeat, also on the current database and after it was killed: existing records do not
 * change. When no row failed or `acceptFailed` is set, it ends with an audit row, which lets
 * minting continue.
 */
export async function rebuild(
  service: ServiceContext,
  o: {
    label: string;
    /** Name of the operator, for the audit log. */
    actor?: string;
    payTo?: readonly string[];
    acceptFailed?: boolean;
    say(line: string): void;
  },
): Promise<Rebuilt & { isFinished: boolean }> {
  const { db, clock } = service;
  const report = emptyReport(o.say);
  await rebuildMints(service, report);
  // Before every purchase is known, a payment could count as one that bought nothing.
  if (report.result.failed.length === 0 || o.acceptFailed === true)
    await rebuildPayments(service, report, o.payTo ?? []);
  else o.say('payments are restored only after every tree was read');
  const { skipped, failed, ...counts } = report.result;
  const isFinished = failed.length === 0 || o.acceptFailed === true;
  if (isFinished)
    await writeAudit(db, {
      at: clock.now(),
      actor: o.actor ?? 'admin',
      action: REBUILT,
      subject: o.label,
      detail: { ...counts, skipped: skipped.length, failed: failed.length },
    });
  return { ...report.result, isFinished };
}

type Ours = { creators: ReadonlySet<string>; storageKeys: ReadonlySet<string> };

async function rebuildMints(service: ServiceContext, report: Report): Promise<void> {
  const { db, env, rpc } = service;
  const keysOf = async (kind: KeyKind) =>
    new Set(
      (await listIssuerKeys(db, { kind, order: 'oldest' })).map(({ publicKey }) => publicKey),
    );
  const ours = {
    creators: await keysOf('creator'),
    storageKeys: await keysOf('storage'),
  };
  for (const { address } of await listTrees(db, env.network)) {
    report.say(`reading tree ${address}`);
    await onRow(report, address, async () => {
      for await (const signature of finalHistoryOf(rpc, address))
        await onRow(report, signature, () =>
          rebuildLeaves(service, report, { ...ours, signature }),
        );
    });
  }
}

async function rebuildLeaves(
  service: ServiceContext,
  report: Report,
  o: Ours & { signature: string },
): Promise<void> {
  const { signature, storageKeys } = o;
  const transaction = await getListed(service.rpc, signature);
  const slot = BigInt(transaction.slot);
  for (const leaf of decodeLeafEvents(transaction)) {
    if (!isOurs(leaf, o.creators)) continue;
    await rebuildCollection(service, report, { leaf, blockTime: transaction.blockTime });
    const one = await restoreLeaf(service, { leaf, signature, slot, storageKeys });
    if (one.why !== null) leaveAlone(report, signature, one.why);
    if (one.came === null) continue;
    report.result[one.came] += 1;
    report.say(`${leaf.metadata.name} restored, minted by ${signature}`);
  }
}

async function rebuildCollection(
  { db, env, rpc }: ServiceContext,
  report: Report,
  { leaf, blockTime }: { leaf: LeafEvent; blockTime: number | null | undefined },
): Promise<void> {
  if (blockTime === null || blockTime === undefined) return;
  const holds = statementIdIn(leaf.metadata.name) === null ? 'receipt' : 'statement';
  const mintedAt = new Date(blockTime * 1_000);
  const readKind = (address: string) => readCollectionKind(rpc, address);
  if (await restoreCollection(db, { leaf, network: env.network, holds, mintedAt, readKind }))
    report.say(`collection ${leaf.collection ?? ''} of ${holds}s restored`);
}

/**
 * Whether a collection is frozen, by its plugins on chain. A frozen one that counts as standard would get every new NFT.
 * Throws RpcUnavailable, also when no node shows it.
 */
export async function readCollectionKind(
  rpc: Pick<Rpc, 'getAccountInfo'>,
  address: string,
): Promise<Collection['kind']> {
  const account = await rpc.getAccountInfo(address);
  if (account?.owner !== MPL_CORE_PROGRAM_ID.toString())
    throw new RpcUnavailable(`no node shows the collection ${address}`);
  const { permanentFreezeDelegate } = deserializeCollectionV1({
    publicKey: publicKey(address),
    executable: false,
    owner: MPL_CORE_PROGRAM_ID,
    lamports: lamports(0),
    data: account.data,
  });
  return permanentFreezeDelegate === undefined ? 'standard' : 'frozen';
}

const isOurs = ({ metadata }: LeafEvent, creators: ReadonlySet<string>): boolean =>
  metadata.creators.some((one) => one.verified && creators.has(one.address));

/** The record that a leaf restored, or why there is none. Both null: everything was on record. */
export type RestoredLeaf = { came: 'receipts' | 'statements' | null; why: string | null };

const ALL_KNOWN: RestoredLeaf = { came: null, why: null };

/** Restores the receipt or statement of a leaf of ours, as far as possible. */
async function restoreLeaf(
  service: ServiceContext,
  o: { leaf: LeafEvent; signature: string; slot: bigint; storageKeys: ReadonlySet<string> },
): Promise<RestoredLeaf> {
  const statementId = statementIdIn(o.leaf.metadata.name);
  if (statementId === null) {
    const one = await restoreReceipt(service, o);
    if (one.state === 'known') return ALL_KNOWN;
    return one.state === 'restored'
      ? { came: 'receipts', why: null }
      : { came: null, why: one.why };
  }
  const one = await restoreStatement(service, { ...o, statementId });
  switch (one.state) {
    case 'known':
      return ALL_KNOWN;
    case 'minted':
      return { came: 'statements', why: null };
    case 'skipped':
      return { came: null, why: one.why };
    case 'lost':
      return {
        came: null,
        why: `the rows of statement ${statementId} of ${one.wallet} are not on chain; only its payment is marked as used`,
      };
  }
}
