import type { ReactNode } from 'react';
import type { Translate } from '@/i18n/translate';
import type { CheckBody } from '@/server/use-cases/web-schemas';
import type { SignName } from '../ui/sign';

/** The stage of a receipt's or statement's proof on chain. */
export type MintState = 'pending' | 'completed' | 'failed';

/** The result of a check. */
type Checked = Pick<CheckBody, 'state' | 'verdict' | 'partial'>;

type Words = {
  title: string;
  sign: SignName;
  tone: 'held' | 'failed' | 'unknown';
  text: ReactNode;
  /** Whether another check may end differently. */
  mayChange?: true;
};

/** The style of each verdict. `key` names its words. */
const LOOKS = {
  checking: { key: 'checking', sign: 'clock', tone: 'unknown' },
  minting: { key: 'minting', sign: 'clock', tone: 'unknown' },
  genuine: { key: 'genuine', sign: 'check', tone: 'held' },
  'not genuine': { key: 'notGenuine', sign: 'cross', tone: 'failed' },
  'could not be checked': { key: 'open', sign: 'warning', tone: 'unknown' },
} as const;

/** An unfinished check, for example because a block was not final yet, is repeated. */
const AGAIN_MS = 15_000;

/** When a check is repeated, in ms. False when the result would be the same. */
export function checkAgainIn(o: { data: Checked | undefined; error: unknown }): number | false {
  if (o.error !== null || o.data?.state === 'not_yet') return AGAIN_MS;
  return o.data?.verdict === 'could not be checked' && o.data.partial === null ? AGAIN_MS : false;
}

/**
 * The verdict in words. `failed` says what happened to a receipt whose proof on chain could not be
 * made.
 */
export function verdictWords(
  t: Translate<'proof'>,
  o: {
    state: MintState;
    failed: string;
    checked: Checked | undefined;
    /** The reason why the service could not check it. Null when it could. */
    refusal: ReactNode;
  },
): Words {
  const { verdict = null, partial = null } = o.checked ?? {};
  if (o.state === 'failed')
    return { title: t('verdict.failed.title'), sign: 'cross', tone: 'failed', text: o.failed };
  // The mint may have started again after this page was opened.
  if (o.state === 'pending' || o.checked?.state === 'not_yet') return wordsOf(t, 'minting');
  const open = wordsOf(t, 'could not be checked');
  if (verdict === null)
    return o.refusal === null
      ? wordsOf(t, 'checking')
      : { ...open, text: o.refusal, mayChange: true };
  if (verdict !== 'could not be checked') return wordsOf(t, verdict);
  return partial === null
    ? { ...open, mayChange: true }
    : { ...open, text: t('verdict.partial', partial) };
}

function wordsOf(t: Translate<'proof'>, name: keyof typeof LOOKS): Words {
  const { key, sign, tone } = LOOKS[name];
  return { sign, tone, title: t(`verdict.${key}.title`), text: t(`verdict.${key}.text`) };
}
