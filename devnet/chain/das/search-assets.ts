import { treeConfigAddress } from '@/devnet/chain/bubblegum/program-ids';
import type { IndexedAsset } from './asset-index';
import type { SearchParams } from './params';
import { ASSET_INTERFACE } from './view-asset';

type Condition = (asset: IndexedAsset) => boolean;

export function hasCreator(address: string, verified: boolean | undefined): Condition {
  return ({ metadata }) =>
    metadata.creators.some(
      (creator) =>
        creator.address === address && (verified === undefined || creator.verified === verified),
    );
}

export function isInGroup(key: string, value: string): Condition {
  return ({ collection }) => key === 'collection' && collection === value;
}

/** Whether an asset matches a search. Without a condition every asset does. */
export function searchCondition(search: SearchParams): Condition {
  const conditions = conditionsOf(search);
  return (asset) => {
    const holds =
      search.conditionType === 'any' && conditions.length > 0
        ? conditions.some((condition) => condition(asset))
        : conditions.every((condition) => condition(asset));
    return holds !== search.negate;
  };
}

function conditionsOf(search: SearchParams): Condition[] {
  const is = <T>(wanted: T | undefined, condition: (wanted: T) => Condition): Condition[] =>
    wanted === undefined ? [] : [condition(wanted)];
  return [
    ...is(search.interface, (name) => () => name === ASSET_INTERFACE),
    ...is(search.ownerAddress, (owner) => (asset) => asset.leaf.owner === owner),
    ...is(search.ownerType, (type) => () => type === 'single'),
    ...is(search.creatorAddress, (creator) => hasCreator(creator, search.creatorVerified)),
    ...is(
      search.authorityAddress,
      (authority) => (asset) => treeConfigAddress(asset.tree) === authority,
    ),
    ...is(search.grouping, ([key, value]) => isInGroup(key, value)),
    ...is(search.delegateAddress, (delegate) => (asset) => asset.leaf.delegate === delegate),
    ...is(search.compressed, (compressed) => () => compressed),
    ...is(search.burnt, (burnt) => (asset) => asset.burnt === burnt),
    ...is(search.name, (name) => (asset) => asset.metadata.name === name),
    ...is(search.jsonUri, (uri) => (asset) => asset.metadata.uri === uri),
    ...is(search.tokenType, (type) => () => type !== 'Fungible' && type !== 'regularNFT'),
  ];
}
