import { classNames } from '../ui/class-names';
import { CodeBlock } from './code-block';
import { DefinitionList } from './definition-list';
import styles from './docs.module.css';
import { Example } from './example';
import { FieldList } from './field-list';
import { REFERENCE, type ReferenceAnswer, type ReferenceOperation } from './reference';
import { TryIt } from './try-it';
import { withCode } from './with-code';

const SHOWN: ReadonlySet<string> = new Set(REFERENCE.refusals.map(({ status }) => status));

/** One operation: what it does, its fields, all of its answers, and a way to try it. */
export function OperationEntry(o: { operation: ReferenceOperation; curl: string }) {
  const { operation, curl } = o;
  const { id, method, path, summary, description, parameters, body, form } = operation;
  return (
    <article className={classNames(styles['operation'], styles['later'])}>
      <div className={styles['words']}>
        <h3 id={id} className={styles['target']}>
          {summary}
        </h3>
        <p>
          <code>
            <span className={styles['method']}>{method}</span> {path}
          </code>
        </p>
        <p>{withCode(description)}</p>
        {parameters.length > 0 ? <DefinitionList entries={parameters} /> : null}
        <FieldList title="Body of the request" fields={body} />
        <h4 className={styles['answers']}>Answers</h4>
        {operation.answers.map((answer) => (
          <AnswerEntry key={answer.status} {...{ answer, path }} />
        ))}
        {operation.refusals.map((refusals) => (
          <Refusals key={refusals.status} {...refusals} />
        ))}
      </div>
      <div className={styles['words']}>
        <CodeBlock label={`curl ${path}`} code={curl} />
        {form ? <TryIt {...{ method, path }} {...form} /> : null}
      </div>
    </article>
  );
}

/** The refusals of a status, each with its entry, and the body that they have. */
function Refusals({ status, codes }: ReferenceOperation['refusals'][number]) {
  return (
    <p className="small">
      <strong>{status}</strong>{' '}
      {codes.map((code, at) => (
        <span key={code}>
          {at > 0 ? ', ' : ''}
          <a href={`#error-${code}`}>{code}</a>
        </span>
      ))}
      {status === 402 ? (
        <>
          . Body: <a href="#offer">an offer</a>, or <a href="#price-range">the price range</a>.
        </>
      ) : null}
      {SHOWN.has(String(status)) ? (
        <>
          . <a href={`#example-${status}`}>Example of a {status}</a>
        </>
      ) : null}
    </p>
  );
}

/** An answer that is not a refusal, with its fields and an example from the tests. */
function AnswerEntry({ answer, path }: { answer: ReferenceAnswer; path: string }) {
  const { status, text, fields, example } = answer;
  return (
    <>
      <p className="small">
        <strong>{status}</strong> {withCode(text)}
      </p>
      <FieldList title={`Body of ${status}`} fields={fields} />
      {example === undefined ? null : (
        <Example label={`${status} of ${path}`} title={`Example of ${status}`} of={example} />
      )}
    </>
  );
}
