'use client';

import { useMessages, useTranslations } from 'next-intl';
import { Sign } from '../ui/sign';
import { Skeleton } from '../ui/skeleton';
import { English } from '../use-error-words';
import type { Messages } from '@/i18n/messages';
import type { Proven } from './check-command';
import styles from './proof.module.css';
import { useCheck } from './use-check';
import type { MintState } from './verdict-words';

/** Facts that no check can prove: the list of the verifier. */
const NOT_PROVABLE = ['labels', 'period', 'values', 'pixels', 'website'] as const;

const SIGNS = { held: 'check', failed: 'cross', unknown: 'warning' } as const;

type Lines = Messages['proof']['evidence']['line'];

/** The evidence for the verdict: a line for each group of checks. */
export function Evidence({ of, state }: { of: Proven; state: MintState }) {
  const t = useTranslations('proof');
  const { line: lines } = useMessages().proof.evidence;
  const { data, isPending } = useCheck(of, state);
  // The verdict reports a check that got no answer.
  if (state !== 'completed' || (!isPending && data?.state !== 'checked')) return null;
  return (
    <section className="stack" aria-label={t('evidence.title')}>
      <h2>{t('evidence.title')}</h2>
      {isPending ? <Skeleton lines={4} label={t('evidence.checking', { kind: of.kind })} /> : null}
      {data ? (
        <>
          <ul className={styles['checks']}>
            {data.lines.map((line) => (
              <li key={line.id}>
                <details>
                  <summary>
                    <span className={styles[line.outcome]}>
                      <Sign name={SIGNS[line.outcome]} />
                    </span>
                    {t(`evidence.group.${line.id}`, { kind: of.kind })}
                    <span className={`${styles['result'] ?? ''} ${styles[line.outcome] ?? ''}`}>
                      {t(`evidence.outcome.${line.outcome}`)}
                    </span>
                  </summary>
                  <ul className={styles['evidence']}>
                    {line.evidence.map((one) => (
                      <li key={one.id}>
                        {isKnown(one.id, lines) ? (
                          t(`evidence.line.${one.id}`, { kind: of.kind })
                        ) : (
                          <English>{one.title}</English>
                        )}
                        : {t(`evidence.outcome.${one.outcome}`)}
                        <br />
                        <span className="muted">
                          <English>{one.detail}</English>
                        </span>
                      </li>
                    ))}
                  </ul>
                </details>
              </li>
            ))}
          </ul>
          <details className="small">
            <summary>{t('evidence.notProvable.title')}</summary>
            <ul>
              {NOT_PROVABLE.map((one) => (
                <li key={one}>{t(`evidence.notProvable.${one}`)}</li>
              ))}
            </ul>
          </details>
        </>
      ) : null}
    </section>
  );
}

/** A line of the verifier without a text here is shown in the verifier's own words. */
function isKnown(id: string, lines: Lines): id is keyof Lines {
  return Object.hasOwn(lines, id);
}
