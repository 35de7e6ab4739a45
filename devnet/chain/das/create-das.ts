import type { TxRecord } from '@/devnet/chain/emulator';
import { invalidParams, RpcError } from '@/devnet/chain/rpc-error';
import { emptyIndex, indexTransaction, type IndexedAsset } from './asset-index';
import { openJsonReader, type FetchJson } from './off-chain-json';
import { pageAssets } from './page-assets';
import {
  readAssetParams,
  readAssetsParams,
  readCreatorParams,
  readGroupParams,
  readOwnerParams,
  readSearchParams,
  readSignaturesParams,
  type Paging,
} from './params';
import { proveAsset, type AssetProof } from './prove-asset';
import { hasCreator, isInGroup, searchCondition } from './search-assets';
import { viewAsset } from './view-asset';

/** The parts of the ledger that the index needs. */
export type Ledger = {
  readonly bySlotOrder: readonly TxRecord[];
  readonly onTx: ((record: TxRecord) => void)[];
  readonly onVanish: ((gone: string[]) => void)[];
};

export type DasMethods = Record<string, (params: unknown) => unknown>;

/** The reference indexer's code for "not found". */
const NOT_FOUND = -32000;

/**
 * The DAS read methods over the ledger's own transactions, by their RPC names. The index is built
 * from the ledger's history, follows it, and is rebuilt when transactions vanish. `fetchJson` adds
 * the contents of metadata files. Without it, answers have only the data on chain.
 */
export function createDas(
  ledger: Ledger,
  o: { fetchJson?: FetchJson; jsonWaitMs?: number } = {},
): { methods: DasMethods } {
  let index = emptyIndex();
  const rebuild = () => {
    index = emptyIndex();
    for (const record of ledger.bySlotOrder) indexTransaction(index, record);
  };
  rebuild();
  ledger.onTx.push((record) => indexTransaction(index, record));
  ledger.onVanish.push(rebuild);
  const reader = o.fetchJson && openJsonReader(o.fetchJson, o.jsonWaitMs);

  async function view(assets: IndexedAsset[]) {
    const json = await reader?.readAll(assets.map((asset) => asset.metadata.uri));
    return assets.map((asset) => viewAsset(asset, json?.get(asset.metadata.uri) ?? null));
  }
  async function list(wanted: (asset: IndexedAsset) => boolean, paging: Paging) {
    const page = pageAssets([...index.assets.values()].filter(wanted), paging);
    return { ...page.head, items: await view(page.assets) };
  }
  function listAlive(wanted: (asset: IndexedAsset) => boolean, paging: Paging) {
    return list((asset) => !asset.burnt && wanted(asset), paging);
  }
  function prove(asset: IndexedAsset): AssetProof {
    const tree = index.trees.get(asset.tree);
    if (!tree) throw new Error(`asset ${asset.id} is in a tree that no event named`);
    return proveAsset(asset, tree);
  }
  function find(id: string, what: string): IndexedAsset {
    const asset = index.assets.get(id);
    if (!asset)
      throw new RpcError(
        NOT_FOUND,
        `Database Error: RecordNotFound Error: ${what} Not Found: ${id}`,
      );
    return asset;
  }

  const getAssets = async (params: unknown) => {
    const { ids } = readAssetsParams(params);
    const views = await view(ids.flatMap((id) => index.assets.get(id) ?? []));
    const byId = new Map(views.map((asset) => [asset.id, asset]));
    return ids.map((id) => byId.get(id) ?? null);
  };
  const getAssetProofs = (params: unknown) => {
    const { ids } = readAssetsParams(params);
    return Object.fromEntries(
      ids.map((id) => {
        const asset = index.assets.get(id);
        return [id, asset ? prove(asset) : null];
      }),
    );
  };
  const getAssetSignatures = (params: unknown) => {
    const { id, tree, leafIndex, limit, page } = readSignaturesParams(params);
    if (id === undefined && (tree === undefined || leafIndex === undefined))
      throw invalidParams('Invalid params: give id, or tree and leafIndex');
    const asset = [...index.assets.values()].find((a) =>
      id === undefined ? a.tree === tree && Number(a.leaf.nonce) === leafIndex : a.id === id,
    );
    const number = page ?? 1;
    const items = (asset?.transactions ?? [])
      .slice((number - 1) * limit, number * limit)
      .map(({ signature, instruction }) => [signature, instruction]);
    return { total: items.length, limit, page: number, items };
  };

  return {
    methods: {
      getAsset: async (params) => {
        const [asset] = await view([find(readAssetParams(params).id, 'Asset')]);
        return asset;
      },
      getAssets,
      getAssetBatch: getAssets,
      getAssetProof: (params) => prove(find(readAssetParams(params).id, 'Asset Proof')),
      getAssetProofs,
      getAssetProofBatch: getAssetProofs,
      getAssetsByOwner: (params) => {
        const { ownerAddress, ...paging } = readOwnerParams(params);
        return listAlive((asset) => asset.leaf.owner === ownerAddress, paging);
      },
      getAssetsByCreator: (params) => {
        const { creatorAddress, onlyVerified, ...paging } = readCreatorParams(params);
        return listAlive(hasCreator(creatorAddress, onlyVerified ? true : undefined), paging);
      },
      getAssetsByGroup: (params) => {
        const { groupKey, groupValue, ...paging } = readGroupParams(params);
        return listAlive(isInGroup(groupKey, groupValue), paging);
      },
      searchAssets: (params) => {
        const search = readSearchParams(params);
        return list(searchCondition(search), search);
      },
      getAssetSignatures,
      getAssetSignaturesV2: getAssetSignatures,
    },
  };
}
