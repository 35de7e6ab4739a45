import { TokenStandard, type MetadataArgsV2 } from '@metaplex-foundation/mpl-bubblegum';
import { unwrapOption } from '@metaplex-foundation/umi';
import { refuse } from './errors';

/** Limits of the program's source, lengths in bytes of UTF-8. */
const MAX_NAME_BYTES = 32;
const MAX_SYMBOL_BYTES = 10;
const MAX_URI_BYTES = 200;
const MAX_BASIS_POINTS = 10_000;
const MAX_CREATORS = 5;
const SHARES_TOTAL = 100;

/**
 * Fails a mint whose metadata the program refuses. The first failing rule, in its order, decides.
 */
export function checkMetadata(metadata: MetadataArgsV2, signers: ReadonlySet<string>): void {
  if (Buffer.byteLength(metadata.name) > MAX_NAME_BYTES) refuse('MetadataNameTooLong');
  if (Buffer.byteLength(metadata.symbol) > MAX_SYMBOL_BYTES) refuse('MetadataSymbolTooLong');
  if (Buffer.byteLength(metadata.uri) > MAX_URI_BYTES) refuse('MetadataUriTooLong');
  if (metadata.sellerFeeBasisPoints > MAX_BASIS_POINTS) refuse('MetadataBasisPointsTooHigh');
  checkCreators(metadata.creators);
  if (unwrapOption(metadata.tokenStandard) !== TokenStandard.NonFungible)
    refuse('InvalidTokenStandard');
  for (const creator of metadata.creators)
    if (creator.verified && !signers.has(creator.address)) refuse('CreatorDidNotVerify');
}

function checkCreators(creators: MetadataArgsV2['creators']): void {
  if (creators.length === 0) return;
  if (creators.length > MAX_CREATORS) refuse('CreatorsTooLong');
  const addresses = new Set<string>(creators.map((creator) => creator.address));
  if (addresses.size !== creators.length) refuse('DuplicateCreatorAddress');
  const total = creators.reduce((sum, creator) => sum + creator.share, 0);
  if (total !== SHARES_TOTAL) refuse('CreatorShareTotalMustBe100');
}
