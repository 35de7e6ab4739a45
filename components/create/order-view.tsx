'use client';

import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import { failureOf } from '../api-client';
import { LoadFailed } from '../ui/load-failed';
import paper from '../ui/paper.module.css';
import { Skeleton } from '../ui/skeleton';
import { useCode } from '../ui/use-code';
import { useErrorWords } from '../use-error-words';
import type { OrderState } from './order-state';

/** The progress of an order. The first view does not need its code, which loads with the draft or with a kept order. */
export const loadProgress = async () => {
  arrived = await importProgress();
  return arrived;
};

const importProgress = () => import('./order-progress');

/** The code, once it is loaded. A later view shows it at once, so that every step is announced. */
let arrived: Awaited<ReturnType<typeof importProgress>> | null = null;

/** The state of an order: its whole progress, or one line beside other content. */
export function OrderView(o: {
  state: OrderState;
  isAside: boolean;
  onShow: () => void;
  onNew: () => void;
}) {
  const { code: loaded, failure, load } = useCode(loadProgress);
  const [early] = useState(() => arrived);
  const code = early ?? loaded;
  useEffect(load, [load]);
  const t = useTranslations('create');
  const errorWords = useErrorWords();
  if (failure)
    return (
      <LoadFailed title={t('progress.creating')} onAgain={load}>
        {errorWords(failureOf(failure))}
      </LoadFailed>
    );
  if (!code)
    return o.isAside ? null : (
      <div className={paper['paper']}>
        <Skeleton lines={6} label={t('progress.creating')} />
      </div>
    );
  return o.isAside ? <code.OrderAside {...o} /> : <code.OrderProgress {...o} />;
}
