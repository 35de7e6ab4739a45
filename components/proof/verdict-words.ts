import type { CheckBody } from '@/server/use-cases/web-schemas';
import type { SignName } from '../ui/sign';
import { plural } from '../ui/plural';

/** Where the proof on chain of a receipt or statement stands. */
export type MintState = 'pending' | 'completed' | 'failed';

/** What a check ended with. */
type Checked = Pick<CheckBody, 'verdict' | 'partial'>;

type Words = {
  title: string;
  sign: SignName;
  tone: 'held' | 'failed' | 'unknown';
  text: string;
  /** Whether another check may end differently. */
  mayChange?: true;
};

const CHECKING: Words = {
  title: 'Checking',
  sign: 'clock',
  tone: 'unknown',
  text: 'The chain and the storage are being read.',
};
const BEING_MINTED: Words = {
  title: 'Being minted',
  sign: 'clock',
  tone: 'unknown',
  text: 'It is written and will not change. Its proof on chain usually takes less than a minute.',
};
const COULD_NOT: Words = {
  title: 'Could not be checked',
  sign: 'warning',
  tone: 'unknown',
  text: 'Nothing speaks against it. Something did not answer, or is not final yet. This page tries again every 15 seconds.',
  mayChange: true,
};
/** By the verdict of the verifier, in its words. */
const VERDICTS: Readonly<Record<NonNullable<CheckBody['verdict']>, Words>> = {
  genuine: {
    title: 'Genuine',
    sign: 'check',
    tone: 'held',
    text: 'Every check of the chain and the signed files held.',
  },
  'not genuine': {
    title: 'Not genuine',
    sign: 'cross',
    tone: 'failed',
    text: 'A check failed. Do not rely on it; the evidence says which one.',
  },
  'could not be checked': COULD_NOT,
};

/** A check that could not be finished, for example because a block was not final yet, is made again. */
const AGAIN_MS = 15_000;

/** When a check is made again, in ms; false where it would end as it did. */
export function checkAgainIn(o: { data: Checked | undefined; error: unknown }): number | false {
  if (o.error !== null) return AGAIN_MS;
  return o.data?.verdict === 'could not be checked' && o.data.partial === null ? AGAIN_MS : false;
}

/** The verdict in words. `failed` says what became of one whose proof on chain could not be made. */
export function verdictWords(o: {
  state: MintState;
  failed: string;
  checked: Checked | undefined;
  /** Why the service could not check it; null while it could. */
  refusal: string | null;
}): Words {
  const { verdict = null, partial = null } = o.checked ?? {};
  if (o.state === 'pending') return BEING_MINTED;
  if (o.state === 'failed')
    return { title: 'Not minted', sign: 'cross', tone: 'failed', text: o.failed };
  if (verdict === null) return o.refusal === null ? CHECKING : { ...COULD_NOT, text: o.refusal };
  if (verdict !== 'could not be checked' || partial === null) return VERDICTS[verdict];
  const { title, sign, tone } = COULD_NOT;
  const text = `${partial.checked} of ${plural(partial.of, 'payment')} were checked here. Run the verifier for all of them.`;
  return { title, sign, tone, text };
}
