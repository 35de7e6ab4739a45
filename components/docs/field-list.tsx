import { DefinitionList } from './definition-list';
import styles from './docs.module.css';
import type { FieldRow } from './list-fields';

/** Fields of a body, collapsed. A reader opens the ones they need. */
export function FieldList({ title, fields }: { title: string; fields: readonly FieldRow[] }) {
  if (fields.length === 0) return null;
  return (
    <details className={styles['fields']}>
      <summary>
        {title} ({fields.length} {fields.length === 1 ? 'field' : 'fields'})
      </summary>
      <DefinitionList
        entries={fields.map(({ name, type, required, description }) => ({
          name,
          note: `${type}${required ? '' : ', optional'}`,
          text: description,
        }))}
      />
    </details>
  );
}
