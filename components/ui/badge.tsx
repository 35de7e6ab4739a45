import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import styles from './badge.module.css';
import { classNames } from './class-names';
import { Sign, type SignName } from './sign';

const SIGNS = {
  chain: 'check',
  self: 'pencil',
  service: 'info',
  completed: 'check',
  pending: 'clock',
  failed: 'cross',
} as const satisfies Record<string, SignName>;

type BadgeKind = keyof typeof SIGNS;

/** `self` names who stated it, so its words come from the caller. */
type BadgeProps =
  | { kind: Exclude<BadgeKind, 'self'>; children?: ReactNode }
  | { kind: 'self'; children: ReactNode };

/** A state in a word and a sign. Colour only repeats it. */
export function Badge({ kind, children }: BadgeProps) {
  const t = useTranslations('ui');
  return (
    <span className={classNames(styles['badge'], styles[kind])}>
      <Sign name={SIGNS[kind]} size={14} />
      {kind === 'self' ? children : (children ?? t(`badge.${kind}`))}
    </span>
  );
}
