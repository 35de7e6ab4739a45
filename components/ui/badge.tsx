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

export type BadgeKind = keyof typeof SIGNS;

/** A state in a word and a sign; colour only repeats it. */
export function Badge({ kind, children }: { kind: BadgeKind; children?: ReactNode }) {
  const t = useTranslations('ui');
  return (
    <span className={classNames(styles['badge'], styles[kind])}>
      <Sign name={SIGNS[kind]} size={14} />
      {children ?? t(`badge.${kind}`)}
    </span>
  );
}
