import styles from './docs.module.css';
import type { FieldRow } from './list-fields';

/** Fields of a body, folded up: a reader opens what is looked for. */
export function FieldList({ title, fields }: { title: string; fields: readonly FieldRow[] }) {
  if (fields.length === 0) return null;
  return (
    <details className={styles['fields']}>
      <summary>
        {title} ({fields.length} {fields.length === 1 ? 'field' : 'fields'})
      </summary>
      <dl className={styles['parameters']}>
        {fields.map(({ name, type, required, description }) => (
          <div key={name}>
            <dt>
              <code>{name}</code>{' '}
              <span className="muted">
                {type}
                {required ? '' : ', optional'}
              </span>
            </dt>
            {description === '' ? null : <dd>{description}</dd>}
          </div>
        ))}
      </dl>
    </details>
  );
}
