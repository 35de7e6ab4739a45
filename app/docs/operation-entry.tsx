import type { ReactNode } from 'react';
import { CodeBlock } from '@/components/docs/code-block';
import styles from '@/components/docs/docs.module.css';
import { FieldList } from '@/components/docs/field-list';
import { listFields } from '@/components/docs/list-fields';
import { TryIt, type TryParameter } from '@/components/docs/try-it';
import { type ErrorCode, ERRORS } from '@/server/errors';
import { EXAMPLE_ANSWERS, jsonSchema } from '@/server/rest/openapi/openapi-document';
import { type Answer, errorsOf, type Operation } from '@/server/rest/operations/operation';

/** One operation: what it does, its fields, all of its answers, and a way to try it. */
export function OperationEntry({
  operation,
  publicUrl,
}: {
  operation: Operation;
  publicUrl: string;
}) {
  const { id, method, path, summary, description, parameters, body, security } = operation;
  const errors = errorsOf(operation);
  const fields = parameters.flatMap((parameter): TryParameter[] =>
    parameter.in === 'header'
      ? []
      : [
          {
            name: parameter.name,
            in: parameter.in,
            required: parameter.required,
            example: parameter.example ?? '',
          },
        ],
  );
  return (
    <article className={styles['operation']}>
      <div className={styles['words']}>
        <h3 id={id} className={styles['target']}>
          {summary}
        </h3>
        <p>
          <code>
            <span className={styles['method']}>{method.toUpperCase()}</span> {path}
          </code>
        </p>
        <p>{withCode(description)}</p>
        {parameters.length > 0 ? (
          <dl className={styles['parameters']}>
            {parameters.map((parameter) => (
              <div key={parameter.name}>
                <dt>
                  <code>{parameter.name}</code>{' '}
                  <span className="muted">
                    {parameter.in}
                    {parameter.required ? ', required' : ''}
                  </span>
                </dt>
                <dd>{withCode(parameter.description)}</dd>
              </div>
            ))}
          </dl>
        ) : null}
        {body ? (
          <FieldList
            title="Body of the request"
            fields={listFields(jsonSchema(body.schema, 'input'))}
          />
        ) : null}
        <h4 className={styles['answers']}>Answers</h4>
        {Object.entries(operation.answers).map(([status, answer]) => (
          <AnswerEntry key={status} {...{ operation, status, answer }} />
        ))}
        {statusesOf(errors).map(([status, codes]) => (
          <p key={status} className="small">
            <strong>{status}</strong>{' '}
            {codes.map((code, at) => (
              <span key={code}>
                {at > 0 ? ', ' : ''}
                <a href={`#error-${code}`}>{code}</a>
              </span>
            ))}
          </p>
        ))}
      </div>
      <div className={styles['words']}>
        <CodeBlock label={`curl ${path}`} code={curlOf(operation, publicUrl)} />
        {(body ?? security) ? null : <TryIt path={path} parameters={fields} />}
      </div>
    </article>
  );
}

function curlOf({ method, path, parameters, body }: Operation, publicUrl: string): string {
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && (parameter.required || parameter.example))
    .map(({ name, example }) => `${name}=${example ?? `{${name}}`}`)
    .join('&');
  const url = `${publicUrl}${path}${query === '' ? '' : `?${query}`}`;
  if (!body) return `curl -sS '${url}'`;
  return `curl -sS -X ${method.toUpperCase()} '${url}' \\
  -H 'Content-Type: application/json' \\
  -H "X-Wallet-Address: $WALLET" \\
  -H "X-Wallet-Signature: $SIGNATURE" \\
  -d '${JSON.stringify(body.example)}'`;
}

/** An answer that is no refusal, with its fields and one that the tests got. */
function AnswerEntry(o: { operation: Operation; status: string; answer: Answer }) {
  const { operation, status, answer } = o;
  const example = EXAMPLE_ANSWERS[operation.id]?.[status];
  return (
    <>
      <p className="small">
        <strong>{status}</strong> {withCode(answer.description)}
        {'media' in answer ? ` ${answer.media.join(', ')}` : ''}
        {answer.headers ? ` Headers: ${answer.headers.join(', ')}.` : ''}
      </p>
      {'schema' in answer ? (
        <FieldList
          title={`Body of ${status}`}
          fields={listFields(jsonSchema(answer.schema, 'output'))}
        />
      ) : null}
      {example === undefined ? null : (
        <details className={styles['fields']}>
          <summary>Example of {status}</summary>
          <CodeBlock
            label={`${status} of ${operation.path}`}
            code={JSON.stringify(example, null, 2)}
          />
        </details>
      )}
    </>
  );
}

/** Codes by their status, lowest first. */
function statusesOf(codes: readonly ErrorCode[]): [number, ErrorCode[]][] {
  const found = new Map<number, ErrorCode[]>();
  for (const code of codes)
    found.set(ERRORS[code].status, [...(found.get(ERRORS[code].status) ?? []), code]);
  return [...found].sort(([one], [other]) => one - other);
}

/** What stands between backticks as code. */
export function withCode(text: string): ReactNode {
  return text.split('`').map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part));
}
