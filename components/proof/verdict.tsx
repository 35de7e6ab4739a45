'use client';

import { useTranslations } from 'next-intl';
import { useEffect } from 'react';
import { failureOf } from '../api-client';
import { useAnnounce } from '../ui/announcer';
import { Button } from '../ui/button';
import { classNames } from '../ui/class-names';
import { Sign } from '../ui/sign';
import { useErrorWords } from '../use-error-words';
import { Time } from '../ui/time';
import { useRefresh } from '../ui/use-refresh';
import type { Proven } from './check-command';
import styles from './proof.module.css';
import { useCheck } from './use-check';
import { verdictWords, type MintState } from './verdict-words';

type VerdictProps = {
  of: Proven;
  state: MintState;
  /** The reason, in one sentence, why a receipt's proof on chain could not be made. */
  failed: string;
};

/** The verdict, which a reader needs first. */
export function Verdict({ of, state, failed }: VerdictProps) {
  const t = useTranslations('proof');
  const { data, error, isFetching, refetch } = useCheck(of, state);
  const errorWords = useErrorWords();
  const refusal = error && errorWords(failureOf(error));
  const words = verdictWords(t, { state, failed, checked: data, refusal });
  const announce = useAnnounce();
  const refresh = useRefresh();
  const isReopened = state === 'completed' && data?.state === 'not_yet';
  // The refreshed page shows the steps of the mint.
  useEffect(() => {
    if (isReopened) refresh();
  }, [isReopened, refresh]);
  const checkAgain = async () => {
    const { data: now } = await refetch();
    // The region below announces only changes.
    if (now?.verdict === data?.verdict) announce(`${t('verdict.label')}: ${words.title}`);
  };
  return (
    <section
      className={classNames(styles['verdict'], styles[words.tone])}
      aria-labelledby="verdict-title"
    >
      <Sign name={words.sign} size={28} />
      <div className={styles['words']}>
        {/* In the page from the start, so that a screen reader announces its changes. */}
        {/* The time is outside of it, because it changes at each check. */}
        <div role="status">
          <h2 id="verdict-title">
            <span className="unseen">{t('verdict.label')}: </span>
            {words.title}
          </h2>
          <p>{words.text}</p>
          {data?.since_mint ? <p>{t(`verdict.since.${data.since_mint}`)}</p> : null}
        </div>
        {/* An empty line until then, so that the page does not move when the check ends. */}
        {state === 'completed' ? (
          <p className="muted small">
            {data?.checked_at
              ? t.rich('verdict.checkedAt', {
                  time: () => <Time value={data.checked_at ?? ''} precision="second" />,
                })
              : '\u00a0'}
          </p>
        ) : null}
      </div>
      {words.mayChange ? (
        <div className="screen-only">
          <Button size="small" busy={isFetching} onClick={() => void checkAgain()}>
            {t('verdict.again')}
          </Button>
        </div>
      ) : null}
    </section>
  );
}
