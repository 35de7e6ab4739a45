import { placeOfMint } from '@quittance/verify/receipts/evidence-of-proof';
import type { IssuerDocument } from '@quittance/verify/receipts/issuer-document';
import { signIssuer } from '@quittance/verify/receipts/issuer-signature';
import { lookUpMint } from '@quittance/verify/receipts/look-up-proof';
import { findLeaf } from '@quittance/verify/receipts/minted-leaf';
import {
  type MintProof,
  type ProofDocument,
  writeMintProof,
} from '@quittance/verify/receipts/proof-document';
import type { StatementProof } from '@quittance/verify/statements/statement-proof';
import { presentRow } from '@quittance/verify/statements/statement-rows';
import { databaseNow } from '@/server/db/database-clock';
import { ServiceError } from '@/server/errors';
import { listCollections } from '@/server/nft/collections';
import { listTrees } from '@/server/nft/trees';
import { findReceipt } from '@/server/receipts/find-receipt';
import { NOTHING_TOLD, ownPlaces } from '@/server/receipts/gather-evidence';
import { findStatement } from '@/server/statements/find-statement';
import { loadRows } from '@/server/statements/stored-rows';
import { type IssuerKeyUse, listIssuerKeys, listRevocations } from '@/server/storage/issuer-keys';
import { itemUri, loadItem } from '@/server/storage/stored-items';
import type { Call } from '../call';

/**
 * Everything that a check of a receipt needs apart from a Solana node. Throws like {@link
 * proveMint}.
 */
export async function readProof(call: Call<{ receipt_id: string }>): Promise<ProofDocument> {
  const { input } = call;
  const { receipt, mint } = await findReceipt(call.service.db, input.receipt_id);
  const { id, txSignature } = receipt;
  const proof = await proveMint(call, { mint, named: `receipt ${id}`, at: `/mint/status/${id}` });
  return { ...proof, receipt_id: id, tx_signature: txSignature };
}

/** The same for a statement, with all of its rows. */
export async function readStatementProof(
  call: Call<{ statement_id: string }>,
): Promise<StatementProof> {
  const { input } = call;
  const { db } = call.service;
  const { statement, mint } = await findStatement(db, input.statement_id);
  const { id } = statement;
  const [proof, rows] = await Promise.all([
    proveMint(call, { mint, named: `statement ${id}`, at: `/statement/${id}` }),
    loadRows(db, id),
  ]);
  return { ...proof, statement_id: id, transactions: rows.map(presentRow) };
}

type Minted = {
  status: string;
  mintSignature: string | null;
  assetId: string | null;
  tree: string | null;
  metadataUri: string;
  metadataItemId: string;
  imageItemId: string;
};

/**
 * The proof of an NFT: its signed files, and where each part is on the chain. `named` is the
 * receipt or statement in the words of messages, and `at` the path with the state of its mint. If
 * no index of assets has the NFT, its leaf is followed through the history of the tree, as far as a
 * request may. Throws `proof_not_ready` while the NFT is being made, `proof_missing` where it could
 * not be, and 503 when no node has the mint transaction.
 */
async function proveMint(
  call: Call,
  { mint, named, at }: { mint: Minted; named: string; at: string },
): Promise<MintProof> {
  const { env, rpc } = call.service;
  const { mintSignature, assetId, tree } = mint;
  if (mint.status === 'failed')
    throw new ServiceError('proof_missing', `The NFT of ${named} could not be minted.`);
  if (mint.status !== 'completed' || mintSignature === null || assetId === null || tree === null)
    throw new ServiceError('proof_not_ready', `The NFT of ${named} is being minted: see ${at}.`);
  const document = { mint_signature: mintSignature, asset_id: assetId, tree, ...NOTHING_TOLD };
  const [metadata, image, seen] = await Promise.all([
    keptItem(call, mint.metadataItemId, mint.metadataUri),
    keptItem(call, mint.imageItemId, itemUri(mint.imageItemId, env.storageGatewayUrl)),
    lookUpMint({ document, ...ownPlaces({ ...env, rpc }) }),
  ]);
  const leaf = findLeaf(placeOfMint({ document, seen }));
  if (!leaf)
    throw new ServiceError(
      'chain_unavailable',
      `No Solana node has the mint transaction of ${named}. Send the same request again.`,
    );
  return writeMintProof({
    network: env.network,
    issuerUrl: `${env.publicUrl}/.well-known/quittance.json`,
    mintSignature,
    metadata,
    image,
    leaf,
    asset: seen.asset,
    history: seen.history,
  });
}

async function keptItem(call: Call, id: string, uri: string) {
  const item = await loadItem(call.service.db, id);
  if (!item) throw new Error(`the item ${id} is not kept`);
  return { id, uri, raw: item.raw };
}

/**
 * The keys, trees and collections of our receipts, with the dates each was in use. It has the
 * current date and is signed by the creator key.
 */
export async function readIssuer(call: Call): Promise<IssuerDocument> {
  const { db, env } = call.service;
  const [now, creators, storageKeys, trees, collections, revocations] = await Promise.all([
    databaseNow(db),
    listIssuerKeys(db, { kind: 'creator', order: 'oldest' }),
    listIssuerKeys(db, { kind: 'storage', order: 'newest' }),
    listTrees(db, env.network),
    listCollections(db, env.network),
    listRevocations(db),
  ]);
  const key = (row: IssuerKeyUse) => ({
    public_key: row.publicKey,
    used_from: row.usedFrom.toISOString(),
    used_until: row.usedUntil?.toISOString() ?? null,
    revoked_at: revocations.get(row.publicKey)?.toISOString() ?? null,
  });
  const account = (row: { address: string; createdAt: Date; retiredAt: Date | null }) => ({
    address: row.address,
    used_from: row.createdAt.toISOString(),
    used_until: row.retiredAt?.toISOString() ?? null,
  });
  const document = {
    service: env.serviceName,
    network: env.network,
    url: env.publicUrl,
    creators: creators.map(key),
    storage_keys: storageKeys.map(key),
    trees: trees.map(account),
    collections: collections.map((row) => ({ ...account(row), kind: row.kind, holds: row.holds })),
    issued_at: now.toISOString(),
  };
  return signIssuer(document, env.minter);
}
