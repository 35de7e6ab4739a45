import type { ReactNode } from 'react';
import type { Translate } from '@/i18n/translate';
import type { CheckBody } from '@/server/use-cases/web-schemas';
import type { SignName } from '../ui/sign';

/** Where the proof on chain of a receipt or statement stands. */
export type MintState = 'pending' | 'completed' | 'failed';

/** What a check ended with. */
type Checked = Pick<CheckBody, 'verdict' | 'partial'>;

type Words = {
  title: string;
  sign: SignName;
  tone: 'held' | 'failed' | 'unknown';
  text: ReactNode;
  /** Whether another check may end differently. */
  mayChange?: true;
};

/** How each verdict looks; `key` names its words. */
const LOOKS = {
  checking: { key: 'checking', sign: 'clock', tone: 'unknown' },
  minting: { key: 'minting', sign: 'clock', tone: 'unknown' },
  genuine: { key: 'genuine', sign: 'check', tone: 'held' },
  'not genuine': { key: 'notGenuine', sign: 'cross', tone: 'failed' },
  'could not be checked': { key: 'open', sign: 'warning', tone: 'unknown' },
} as const;

/** A check that could not be finished, for example because a block was not final yet, is made again. */
const AGAIN_MS = 15_000;

/** When a check is made again, in ms; false where it would end as it did. */
export function checkAgainIn(o: { data: Checked | undefined; error: unknown }): number | false {
  if (o.error !== null) return AGAIN_MS;
  return o.data?.verdict === 'could not be checked' && o.data.partial === null ? AGAIN_MS : false;
}

/** The verdict in words. `failed` says what became of one whose proof on chain could not be made. */
export function verdictWords(
  t: Translate<'proof'>,
  o: {
    state: MintState;
    failed: string;
    checked: Checked | undefined;
    /** Why the service could not check it; null while it could. */
    refusal: ReactNode;
  },
): Words {
  const { verdict = null, partial = null } = o.checked ?? {};
  if (o.state === 'pending') return wordsOf(t, 'minting');
  if (o.state === 'failed')
    return { title: t('verdict.failed.title'), sign: 'cross', tone: 'failed', text: o.failed };
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
