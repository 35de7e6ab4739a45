import { classNames } from '../ui/class-names';
import { DefinitionList } from './definition-list';
import styles from './docs.module.css';
import { Example } from './example';
import { FieldList } from './field-list';
import { REFERENCE } from './reference';

/** Every error of the catalogue. Each has an anchor, which its answers lead to. */
export function ErrorList() {
  return (
    <section className={classNames(styles['prose'], styles['later'])} aria-labelledby="errors">
      <h2 id="errors" className={styles['target']}>
        Errors
      </h2>
      <p>
        Every refusal has a stable <code>code</code>, an <code>error</code> in words, a{' '}
        <code>request_id</code>, and <code>docs</code> with the address of its entry below. A 402 is{' '}
        <a href="#offer">an offer</a> with the same fields beside it. The body of a 429 is only that
        sentence. Every refusal, including a 429, has a <code>Link</code> header with the address of
        its entry.
      </p>
      <FieldList title="Body of an error" fields={REFERENCE.errorFields} />
      {REFERENCE.refusals.map(({ status, example }) => (
        <Example
          key={status}
          id={`example-${status}`}
          title={`Example of a ${status}`}
          label={`a ${status}`}
          of={example}
        />
      ))}
      <DefinitionList entries={REFERENCE.errors} />
    </section>
  );
}
