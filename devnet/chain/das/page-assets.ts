import { invalidParams } from '@/devnet/chain/rpc-error';
import type { IndexedAsset } from './asset-index';
import type { Paging } from './params';

export type AssetPage = {
  assets: IndexedAsset[];
  /**
   * The answer's fields besides its items. `total` is the number on this page, like indexers count.
   */
  head: { total: number; limit: number; page?: number; cursor?: string | undefined };
};

/**
 * One page of assets, from assets in the order of their mints. The answer is newest first by
 * default. It is chosen either by page number or from an asset on (`after`, `cursor`) or up to one
 * (`before`).
 */
export function pageAssets(assets: IndexedAsset[], paging: Paging): AssetPage {
  const { limit, page, before } = paging;
  const after = paging.cursor ?? paging.after;
  const ways = [page, before, after].filter((way) => way !== undefined);
  if (ways.length > 1)
    throw invalidParams('Pagination Error. Only one pagination parameter supported per query.');
  const sorted = sortAssets(assets, paging.sortBy);
  if (ways.length === 0 || page !== undefined) {
    const number = page ?? 1;
    const found = sorted.slice((number - 1) * limit, number * limit);
    return { assets: found, head: { total: found.length, limit, page: number } };
  }
  const at = sorted.findIndex((asset) => asset.id === (after ?? before));
  const [from, to] = after === undefined ? [at - limit, at] : [at + 1, at + 1 + limit];
  const found = at < 0 ? [] : sorted.slice(Math.max(0, from), to);
  return { assets: found, head: { total: found.length, limit, cursor: found.at(-1)?.id } };
}

function sortAssets(assets: IndexedAsset[], sortBy: Paging['sortBy']): IndexedAsset[] {
  const ascending =
    sortBy?.sortBy === 'id'
      ? [...assets].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
      : [...assets];
  return sortBy?.sortDirection === 'asc' ? ascending : ascending.reverse();
}
