import type { ReactNode } from 'react';
import { Address } from '../ui/address';
import { Facts, type Fact } from '../ui/facts';
import type { Proven } from './check-command';
import styles from './proof.module.css';

type Minted = {
  asset_id: string | null;
  mint_signature: string | null;
  tree: string | null;
  metadata_uri: string;
  image_uri: string;
};

/** Where the parts of a receipt or statement are: its NFT on the chain and its files on permanent storage. */
export function Technical(o: { of: Proven; minted: Minted; more: readonly Fact[] }) {
  const { of, minted, more } = o;
  const { asset_id: asset, mint_signature: mint, tree } = minted;
  return (
    <details className={styles['technical']}>
      <summary>Technical details</summary>
      <Facts
        facts={[
          ...(asset === null
            ? []
            : [{ term: 'cNFT', value: <Address value={asset} label="Asset" /> }]),
          ...(mint === null
            ? []
            : [
                {
                  term: 'Mint',
                  value: <Address value={mint} kind="transaction" label="Mint transaction" />,
                },
              ]),
          ...(tree === null
            ? []
            : [{ term: 'Tree', value: <Address value={tree} label="Tree" /> }]),
          { term: 'Metadata', value: outside(minted.metadata_uri, 'on permanent storage') },
          { term: 'Image', value: outside(minted.image_uri, 'on permanent storage') },
          ...more,
          { term: 'Everything', value: outside(`/${of.kind}/${of.id}`, 'as JSON') },
        ]}
      />
    </details>
  );
}

/** A link that leaves the page open. */
function outside(href: string, words: string): ReactNode {
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {words}
    </a>
  );
}
