'use client';

import { useLocale, useMessages, useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { languageOf } from '@/i18n/locales';
import type { Messages } from '@/i18n/messages';
import type { ApiFailure } from './api-client';
import { ErrorPage } from './error-page';

type Known = keyof Messages['errors']['code'];

/** Errors whose English text names the entry, limit or date that it is about. */
const WITH_DETAIL: ReadonlySet<string> = new Set([
  'invalid_request',
  'rate_not_covered',
  'scan_incomplete',
  'too_many_transactions',
  'wallet_not_involved',
] satisfies Known[]);

type Failure = Pick<ApiFailure, 'code' | 'message'>;

/**
 * Gives an error of the API in the reader's language, or in the words of the page for it, with a link
 * to its entry on /docs.
 */
export function useErrorWords() {
  const errorText = useErrorText();
  return function words(failure: Failure, text: ReactNode = errorText(failure)): ReactNode {
    return (
      <>
        {text} <ErrorPage code={failure.code} />
      </>
    );
  };
}

/**
 * Gives an error of the API in the reader's language, by its code. English readers get the text of the API, which is
 * more exact. An error without a translation stays in English and is marked so.
 */
export function useErrorText(): (failure: Failure) => ReactNode {
  const t = useTranslations('errors');
  const codes = useMessages().errors.code;
  const isEnglish = languageOf(useLocale()) === 'en';
  return function words({ code, message }) {
    if (isEnglish && message !== '') return message;
    if (!isKnown(code, codes)) return <English>{message}</English>;
    if (isEnglish || !WITH_DETAIL.has(code)) return t(`code.${code}`);
    return (
      <>
        {t(`code.${code}`)} <English>{message}</English>
      </>
    );
  };
}

/** A text that exists only in English, marked for screen readers and translators. */
export function English({ children }: { children: ReactNode }) {
  return <span lang="en">{children}</span>;
}

function isKnown(code: string, codes: object): code is Known {
  return Object.hasOwn(codes, code);
}
