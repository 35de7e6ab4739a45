'use client';

import type { inferRouterOutputs } from '@trpc/server';
import { useTranslations } from 'next-intl';
import { useEffect, useState, type ReactNode } from 'react';
import type { Translate } from '@/i18n/translate';
import type { AppRouter } from '@/server/api/app-router';
import { apiClient, failureOf, withHeaders } from '../api-client';
import { useAnnounce } from '../ui/announcer';
import { Banner } from '../ui/banner';
import { English } from '../use-error-words';
import { Steps, type Step, type StepState } from '../ui/steps';

export type Progress = inferRouterOutputs<AppRouter>['web']['progress'];

/** Wait after a failed answer. */
const PAUSE_MS = 2_000;

/** The kind of item in progress. */
type Made = 'receipt' | 'statement';

const STAGES = ['written', 'final', 'stored', 'sent', 'proven'] as const;
type Stage = (typeof STAGES)[number];
type Texts = Translate<'progress'>;

/**
 * Follows a receipt until its NFT is minted or its mint has failed. Calls back once, with the
 * result.
 */
export function useProgress(
  receiptId: string | null,
  onEnd: (progress: Progress) => void,
): { progress: Progress | null; isOffline: boolean } {
  const [progress, setProgress] = useState<Progress | null>(null);
  const [isOffline, setOffline] = useState(false);
  useEffect(() => {
    if (receiptId === null) return;
    const aborted = new AbortController();
    const follow = async () => {
      let known: Progress | null = null;
      while (!aborted.signal.aborted) {
        try {
          const next: Progress = await apiClient.web.progress.query(
            {
              receipt_id: receiptId,
              ...(known && { known: { stage: known.stage, attempts: known.attempts } }),
            },
            { signal: aborted.signal, context: withHeaders({}) },
          );
          known = next;
          setProgress(next);
          setOffline(false);
          if (next.mint_status === 'pending') continue;
          onEnd(next);
          return;
        } catch (error) {
          if (aborted.signal.aborted) return;
          setOffline(true);
          if (failureOf(error).status === 404) return;
          await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
        }
      }
    };
    void follow();
    return () => aborted.abort();
    // The callback is only for the result. A new callback is no reason to ask again.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [receiptId]);
  return { progress, isOffline };
}

/** The text of a stage once it is reached (`done`), or of the step before it. */
function wordsOf(t: Texts, o: { stage: Stage; made: Made; when: 'done' | 'now' }): string {
  const { stage, made, when } = o;
  return stage === 'written' ? t(`written.${made}.${when}`) : t(`step.${stage}.${when}`);
}

/** The steps of a receipt or statement that is in progress. */
export function progressSteps(t: Texts, progress: Progress | null, made: Made = 'receipt'): Step[] {
  const reached = progress ? STAGES.indexOf(progress.stage) : -1;
  return STAGES.map((stage, at): Step => {
    const state: StepState =
      at <= reached
        ? 'done'
        : at > reached + 1
          ? 'next'
          : progress?.mint_status === 'failed'
            ? 'failed'
            : 'now';
    const isWaiting = state === 'now' && progress?.last_error != null;
    return {
      id: stage,
      label: wordsOf(t, { stage, made, when: state === 'done' ? 'done' : 'now' }),
      state,
      ...(state === 'now' && progress ? { since: progress.updated_at } : {}),
      ...(isWaiting ? { note: waitsFor(t, progress.last_error ?? '') } : {}),
    };
  });
}

/** For people, who need not know which machine failed to answer. */
function waitsFor(t: Texts, lastError: string): ReactNode {
  return lastError.startsWith('storage:')
    ? t('storageBusy')
    : t.rich('trying', { why: () => <English>{lastError}</English> });
}

/** The live progress of a receipt or statement to its proof on chain. */
export function MintProgress({
  id,
  made,
  onEnd,
}: {
  id: string;
  made: Made;
  onEnd: (progress: Progress) => void;
}) {
  const { progress, isOffline } = useProgress(id, onEnd);
  const t = useTranslations('progress');
  const steps = progressSteps(t, progress, made);
  useSayStep(progress ? steps : []);
  return (
    <div className="stack screen-only">
      <Steps steps={steps} label={t('label', { made })} />
      {isOffline ? <Banner kind="warning">{t('offline', { made })}</Banner> : null}
    </div>
  );
}

/** Has a screen reader announce the running step, and what it waits for if that is known. */
function useSayStep(steps: readonly Step[]): void {
  const announce = useAnnounce();
  const now = steps.find(({ state }) => state === 'now');
  const step = now?.label;
  const waits = typeof now?.note === 'string' ? now.note : undefined;
  useEffect(() => {
    if (step !== undefined) announce(step);
  }, [step, announce]);
  useEffect(() => {
    if (waits !== undefined) announce(waits);
  }, [waits, announce]);
}
