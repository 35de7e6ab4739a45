import { CodeBlock } from './code-block';
import styles from './docs.module.css';

/** JSON that the tests got, folded up. */
export function Example(o: { label: string; title: string; of: unknown; id?: string }) {
  return (
    <details id={o.id} className={styles['fields']}>
      <summary>{o.title}</summary>
      <CodeBlock label={o.label} code={JSON.stringify(o.of, null, 2)} />
    </details>
  );
}
