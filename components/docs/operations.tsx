'use client';

import { classNames } from '../ui/class-names';
import styles from './docs.module.css';
import { ErrorList } from './error-list';
import { OperationEntry } from './operation-entry';
import { REFERENCE } from './reference';
import { withCode } from './with-code';

/** The rules, every operation, and every error. `curls` holds the curl line of each operation by its id. */
export function Operations({ curls }: { curls: Readonly<Record<string, string>> }) {
  return (
    <>
      {REFERENCE.rules.map((part) => (
        <Rules key={part.id} {...part} />
      ))}
      {REFERENCE.tags.map((tag) => (
        <section key={tag} aria-label={tag}>
          <h2 className="unseen">{tag}</h2>
          {REFERENCE.operations
            .filter((operation) => operation.tag === tag)
            .map((operation) => (
              <OperationEntry
                key={operation.id}
                {...{ operation }}
                curl={curls[operation.id] ?? ''}
              />
            ))}
        </section>
      ))}
      <ErrorList />
    </>
  );
}

function Rules({ id, title, rules }: (typeof REFERENCE)['rules'][number]) {
  return (
    <section className={classNames(styles['prose'], styles['later'])} aria-labelledby={id}>
      <h2 id={id} className={styles['target']}>
        {title}
      </h2>
      <dl className={styles['parameters']}>
        {rules.map(({ name, text }) => (
          <div key={name}>
            <dt>
              <strong>{name}</strong>
            </dt>
            <dd>{withCode(text)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
