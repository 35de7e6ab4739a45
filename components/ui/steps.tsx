'use client';

import { useTranslations } from 'next-intl';
import { useEffect, useState, type ReactNode } from 'react';
import { classNames } from './class-names';
import { Sign } from './sign';
import styles from './steps.module.css';

export type StepState = 'done' | 'now' | 'next' | 'failed';

export type Step = {
  id: string;
  label: string;
  state: StepState;
  note?: ReactNode;
  /** Its start, ISO 8601. A running step shows its duration, also after a reload. */
  since?: string;
};

/** Done, running (with its duration) and pending steps. */
export function Steps({ steps, label }: { steps: readonly Step[]; label: string }) {
  const t = useTranslations('ui');
  return (
    <ol className={styles['steps']} aria-label={label}>
      {steps.map((step) => (
        <li
          key={step.id}
          className={classNames(styles['step'], styles[step.state])}
          aria-current={step.state === 'now' ? 'step' : undefined}
        >
          {step.state === 'done' || step.state === 'failed' ? (
            <Sign name={step.state === 'done' ? 'check' : 'cross'} />
          ) : (
            <span className={styles['dot']} aria-hidden="true" />
          )}
          <span className={styles['label']}>
            {step.label}
            <span className="unseen">, {t(`step.${step.state}`)}</span>
          </span>
          {step.state === 'now' && step.since ? <Elapsed since={step.since} /> : <span />}
          {step.note ? <div className={styles['note']}>{step.note}</div> : null}
        </li>
      ))}
    </ol>
  );
}

/** Seconds that count up. Not read aloud, because a counting voice drowns out everything else. */
function Elapsed({ since }: { since: string }) {
  const t = useTranslations('ui');
  const [now, setNow] = useState<number | null>(null);
  useEffect(() => {
    const tick = () => setNow(Date.now());
    const timer = setInterval(tick, 1_000);
    const first = setTimeout(tick);
    return () => {
      clearInterval(timer);
      clearTimeout(first);
    };
  }, []);
  const seconds = now === null ? 0 : Math.max(0, Math.floor((now - Date.parse(since)) / 1_000));
  return (
    <span className={styles['elapsed']} aria-hidden="true">
      {seconds < 60
        ? t('seconds', { seconds })
        : t('minutes', { minutes: Math.floor(seconds / 60), seconds: seconds % 60 })}
    </span>
  );
}
