'use client';

import { useTranslations } from 'next-intl';
import { failureOf } from '../api-client';
import { Button } from '../ui/button';
import { classNames } from '../ui/class-names';
import { Sign } from '../ui/sign';
import { useErrorWords } from '../use-error-words';
import { Time } from '../ui/time';
import type { Proven } from './check-command';
import styles from './proof.module.css';
import { useCheck } from './use-check';
import { verdictWords, type MintState } from './verdict-words';

type VerdictProps = {
  of: Proven;
  state: MintState;
  /** What became of one whose proof on chain could not be made, in one sentence. */
  failed: string;
};

/** The one answer a reader comes for, before anything else. */
export function Verdict({ of, state, failed }: VerdictProps) {
  const t = useTranslations('proof');
  const { data, error, isFetching, refetch } = useCheck(of, state);
  const errorWords = useErrorWords();
  const refusal = error && errorWords(failureOf(error));
  const words = verdictWords(t, { state, failed, checked: data, refusal });
  return (
    <section
      className={classNames(styles['verdict'], styles[words.tone])}
      aria-labelledby="verdict-title"
    >
      <Sign name={words.sign} size={28} />
      {/* Here from the start, so that a screen reader says what it becomes. */}
      <div className={styles['words']} role="status">
        <h2 id="verdict-title">
          <span className="unseen">{t('verdict.label')}: </span>
          {words.title}
        </h2>
        <p>{words.text}</p>
        {data?.since_mint ? <p>{t(`verdict.since.${data.since_mint}`)}</p> : null}
        {data?.checked_at ? (
          <p className="muted small">
            {t.rich('verdict.checkedAt', {
              time: () => <Time value={data.checked_at ?? ''} precision="second" />,
            })}
          </p>
        ) : null}
      </div>
      {words.mayChange ? (
        <Button size="small" busy={isFetching} onClick={() => void refetch()}>
          {t('verdict.again')}
        </Button>
      ) : null}
    </section>
  );
}
