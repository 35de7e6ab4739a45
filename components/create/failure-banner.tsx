'use client';

import { useLocale, useTranslations } from 'next-intl';
import { groupAmount } from '../ui/amount';
import { Button } from '../ui/button';
import { FocusedBanner } from '../ui/focused-banner';
import { useErrorText, useErrorWords } from '../use-error-words';
import type { Failure } from './order-failed';

/** A failure in words, with the next step. */
export function FailureBanner(o: {
  failure: Failure;
  onResume: () => void;
  onOtherWallet: () => void;
}) {
  const { failure } = o;
  const t = useTranslations('order');
  const locale = useLocale();
  const errorText = useErrorText();
  const errorWords = useErrorWords();
  const { said = '' } = failure;
  const text = t.rich(`failure.${failure.words}.text`, {
    ...valuesOf(failure, locale),
    said: (words) => (typeof said === 'string' ? <bdi lang="en">{words}</bdi> : errorText(said)),
  });
  return (
    <FocusedBanner
      about={failure}
      kind={failure.kind}
      title={t(`failure.${failure.words}.title`)}
      actions={
        failure.way === 'resume' ? (
          <Button size="small" onClick={o.onResume}>
            {t('way.resume')}
          </Button>
        ) : failure.way === 'other_wallet' ? (
          <Button size="small" onClick={o.onOtherWallet}>
            {t('way.otherWallet')}
          </Button>
        ) : null
      }
    >
      {typeof said === 'string' ? text : errorWords(said, text)}
    </FocusedBanner>
  );
}

/** Values for the text of a failure, with amounts in the reader's number format. */
export function valuesOf({ values, amounts, said = '' }: Failure, locale: string) {
  const words = typeof said === 'string' ? said : said.message;
  const grouped = Object.entries(amounts ?? {}).map(
    ([name, amount]) => [name, groupAmount(amount, locale)] as const,
  );
  return { ...values, ...Object.fromEntries(grouped), words, detail: words === '' ? 'no' : 'yes' };
}
