'use client';

import styles from './docs.module.css';
import type { Entry } from './reference';
import { withCode } from './with-code';

/** Names of the interface with their meanings. */
export function DefinitionList({ entries }: { entries: readonly Entry[] }) {
  return (
    <dl className={styles['parameters']}>
      {entries.map(({ name, note, text, id }) => (
        <div key={name} id={id} className={id === undefined ? undefined : styles['target']}>
          <dt>
            <code>{name}</code>
            {note === undefined ? null : <span className="muted"> {note}</span>}
          </dt>
          {text === '' ? null : <dd>{withCode(text)}</dd>}
        </div>
      ))}
    </dl>
  );
}
