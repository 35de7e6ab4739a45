import type { ReactNode } from 'react';
import styles from './facts.module.css';

export type Fact = { term: string; value: ReactNode; mark?: ReactNode };

/** Terms and their values like on a form, each with a mark for the party that stated it. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={styles['facts']}>
      {facts.map(({ term, value, mark }) => (
        <div key={term} className={styles['fact']}>
          <dt>{term}</dt>
          <dd>
            <span>{value}</span>
            {mark}
          </dd>
        </div>
      ))}
    </dl>
  );
}
