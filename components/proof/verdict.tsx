'use client';

import { failureOf } from '../api-client';
import { Button } from '../ui/button';
import { classNames } from '../ui/class-names';
import { Sign, type SignName } from '../ui/sign';
import { Time } from '../ui/time';
import type { Proven } from './check-command';
import styles from './proof.module.css';
import { useCheck, type MintState } from './use-check';

type Words = { title: string; sign: SignName; tone: 'held' | 'failed' | 'unknown'; text: string };

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
const NOT_MINTED: Words = {
  title: 'Not minted',
  sign: 'cross',
  tone: 'failed',
  text: 'It is written, but it has no proof on chain.',
};
const COULD_NOT: Words = {
  title: 'Could not be checked',
  sign: 'warning',
  tone: 'unknown',
  text: 'Nothing speaks against it. Something did not answer, or is not final yet. This page tries again every 15 seconds.',
};
/** By the verdict of the verifier, in its words. */
const VERDICTS: Readonly<Record<string, Words>> = {
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

type VerdictProps = {
  of: Proven;
  state: MintState;
  /** What became of one whose proof on chain could not be made, in one sentence. */
  failed?: string;
};

/** The one answer a reader comes for, before anything else. */
export function Verdict({ of, state, failed }: VerdictProps) {
  const { data, error, isFetching, refetch } = useCheck(of, state);
  const words = wordsFor({ state, verdict: data?.verdict ?? null, isFailed: error !== null });
  return (
    <section
      className={classNames(styles['verdict'], styles[words.tone])}
      aria-labelledby="verdict-title"
    >
      <Sign name={words.sign} size={28} />
      {/* Here from the start, so that a screen reader says what it becomes. */}
      <div className={styles['words']} role="status">
        <h2 id="verdict-title">
          <span className="unseen">Verdict: </span>
          {words.title}
        </h2>
        <p>{error ? failureOf(error).message : textOf(words, failed)}</p>
        {data?.checked_at ? (
          <p className="muted small">
            Checked <Time value={data.checked_at} precision="second" />
          </p>
        ) : null}
      </div>
      {words === COULD_NOT ? (
        <Button size="small" busy={isFetching} onClick={() => void refetch()}>
          Check again
        </Button>
      ) : null}
    </section>
  );
}

function textOf(words: Words, failed: string | undefined): string {
  return words === NOT_MINTED ? (failed ?? words.text) : words.text;
}

function wordsFor(o: { state: MintState; verdict: string | null; isFailed: boolean }): Words {
  if (o.state === 'pending') return BEING_MINTED;
  if (o.state === 'failed') return NOT_MINTED;
  if (o.verdict !== null) return VERDICTS[o.verdict] ?? COULD_NOT;
  return o.isFailed ? COULD_NOT : CHECKING;
}
