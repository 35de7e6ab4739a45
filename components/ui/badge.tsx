import type { ReactNode } from 'react';
import styles from './badge.module.css';
import { classNames } from './class-names';
import { Sign, type SignName } from './sign';

const KINDS = {
  chain: { sign: 'check', word: 'Verified on chain' },
  self: { sign: 'pencil', word: 'Self-reported' },
  service: { sign: 'info', word: 'Calculated by Quittance' },
  completed: { sign: 'check', word: 'Proven on chain' },
  pending: { sign: 'clock', word: 'Pending' },
  failed: { sign: 'cross', word: 'Failed' },
  due: { sign: 'coin', word: 'Fee due' },
} as const satisfies Record<string, { sign: SignName; word: string }>;

export type BadgeKind = keyof typeof KINDS;

/** A state in a word and a sign; colour only repeats it. */
export function Badge({ kind, children }: { kind: BadgeKind; children?: ReactNode }) {
  const { sign, word } = KINDS[kind];
  return (
    <span className={classNames(styles['badge'], styles[kind])}>
      <Sign name={sign} size={14} />
      {children ?? word}
    </span>
  );
}
