import { useTranslations } from 'next-intl';
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

/**
 * The locations of a receipt's or statement's parts: its NFT on the chain and its files on
 * permanent storage.
 */
export function Technical(o: { of: Proven; minted: Minted; more: readonly Fact[] }) {
  const t = useTranslations('proof');
  const { of, minted, more } = o;
  const { asset_id: asset, mint_signature: mint, tree } = minted;
  return (
    <details className={styles['technical']}>
      <summary>{t('technical.title')}</summary>
      <Facts
        facts={[
          ...(asset === null
            ? []
            : [{ term: 'cNFT', value: <Address value={asset} label={t('technical.asset')} /> }]),
          ...(mint === null
            ? []
            : [
                {
                  term: t('technical.mint'),
                  value: (
                    <Address
                      value={mint}
                      kind="transaction"
                      label={t('technical.mintTransaction')}
                    />
                  ),
                },
              ]),
          ...(tree === null
            ? []
            : [
                {
                  term: t('technical.tree'),
                  value: <Address value={tree} label={t('technical.tree')} />,
                },
              ]),
          {
            term: t('technical.metadata'),
            value: outside(minted.metadata_uri, t('technical.permanent')),
          },
          {
            term: t('technical.image'),
            value: outside(minted.image_uri, t('technical.permanent')),
          },
          ...more,
          {
            term: t('technical.everything'),
            value: outside(`/${of.kind}/${of.id}`, t('technical.json')),
          },
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
