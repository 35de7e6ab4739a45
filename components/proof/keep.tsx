'use client';

import { useTranslations } from 'next-intl';
import { useSite } from '../site-context';
import { Button, ButtonLink } from '../ui/button';
import { Sign } from '../ui/sign';
import { useToast } from '../ui/toast';
import type { Proven } from './check-command';
import styles from './proof.module.css';
import type { MintState } from './verdict-words';

/** Share, files and print of a receipt or statement, with its image as a preview. */
export function Keep({ of, state }: { of: Proven; state: MintState }) {
  const { kind, id } = of;
  const t = useTranslations('proof');
  const { publicUrl } = useSite();
  const toast = useToast();
  const url = `${publicUrl}/${kind === 'receipt' ? 'r' : 's'}/${id}`;
  const file = (name: string) => `/${kind}/${id}/${name}`;
  const share = async () => {
    try {
      if (typeof navigator.share === 'function') {
        await navigator.share({
          title: t('keep.name', { kind, id }),
          url,
        });
        return;
      }
      await navigator.clipboard.writeText(url);
      toast(t('keep.copied'));
    } catch (error) {
      if (error instanceof Error && error.name === 'AbortError') return;
      toast(t('keep.refused', { url }));
    }
  };
  return (
    <section className="stack" aria-labelledby="keep">
      <h2 id="keep">{t('keep.title')}</h2>
      <div className={styles['keep']}>
        <a href={file('image.png')} className={styles['preview']} target="_blank" rel="noreferrer">
          {/* A stored file of fixed size needs no optimisation. */}
          {/* eslint-disable-next-line @next/next/no-img-element */}
          <img
            src={file('image.png')}
            width={1000}
            height={1000}
            alt={t('keep.image', { kind, id })}
            loading="lazy"
          />
        </a>
        <div className="row">
          <Button onClick={share}>
            <Sign name="share" /> {t('keep.share')}
          </Button>
          <ButtonLink href={file('image.png')} download={`${kind}-${id}.png`}>
            <Sign name="down" /> PNG
          </ButtonLink>
          <ButtonLink href={file('metadata.json')} download={`${kind}-${id}.json`}>
            <Sign name="down" /> JSON
          </ButtonLink>
          {kind === 'statement' ? (
            <ButtonLink href={file('csv')} download={`${kind}-${id}.csv`}>
              <Sign name="down" /> CSV
            </ButtonLink>
          ) : null}
          {state === 'completed' ? (
            <ButtonLink href={file('proof')} download={`${kind}-${id}-proof.json`}>
              <Sign name="down" /> {t('keep.proof')}
            </ButtonLink>
          ) : null}
          <Button onClick={() => window.print()}>
            <Sign name="print" /> {t('keep.print')}
          </Button>
        </div>
      </div>
    </section>
  );
}
