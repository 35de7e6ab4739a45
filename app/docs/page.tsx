import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { CodeBlock } from '@/components/docs/code-block';
import styles from '@/components/docs/docs.module.css';
import { TryIt, type TryParameter } from '@/components/docs/try-it';
import { Tabs } from '@/components/ui/tabs';
import { withPreview } from '../with-preview';
import { env } from '@/server/env';
import { ERRORS } from '@/server/errors';
import type { OperatorContact } from '@/server/operator-contact';
import { errorsOf, type Operation } from '@/server/rest/operations/operation';
import { OPERATIONS } from '@/server/rest/operations/operations';
import { PAYMENT_MEMO_PROGRAMS, paidExamples } from '@/server/rest/openapi/paid-examples';
import { RATE_RULES, READING_RULES, STATEMENT_RULES } from '@/server/rest/openapi/llms-text';

export function generateMetadata(): Metadata {
  return withPreview('/docs', {
    title: 'API reference',
    description:
      'Every path of the service, with examples that run and every error with its way out.',
  });
}

const TAGS = ['Receipts', 'Statements', 'Transactions', 'Wallets', 'Payments', 'Service'] as const;

export default function DocsPage() {
  const { publicUrl, serviceName, operator } = env();
  return (
    <main className="wide">
      <div className={styles['page']}>
        <nav className={styles['contents']} aria-label="Contents">
          <ul>
            <li>
              <a href="#start">Start</a>
            </li>
            <li>
              <a href="#paying">Paying</a>
            </li>
            <li>
              <a href="#reading">How a transaction is read</a>
            </li>
            <li>
              <a href="#stating">Rows of a statement</a>
            </li>
            <li>
              <a href="#rates">Values and rates</a>
            </li>
          </ul>
          {TAGS.map((tag) => (
            <div key={tag}>
              <strong>{tag}</strong>
              <ul>
                {OPERATIONS.filter((operation) => operation.tag === tag).map((operation) => (
                  <li key={operation.id}>
                    <a href={`#${operation.id}`}>{operation.summary}</a>
                  </li>
                ))}
              </ul>
            </div>
          ))}
          <ul>
            <li>
              <a href="#errors">Errors</a>
            </li>
          </ul>
        </nav>
        <div className="stack">
          <Start {...{ publicUrl, serviceName, operator }} />
          <Rules id="reading" title="How a transaction is read" rules={READING_RULES} />
          <Rules id="stating" title="Rows of a statement" rules={STATEMENT_RULES} />
          <Rules id="rates" title="Values and rates" rules={RATE_RULES} />
          {TAGS.map((tag) => (
            <section key={tag} aria-label={tag}>
              <h2 className="unseen">{tag}</h2>
              {OPERATIONS.filter((operation) => operation.tag === tag).map((operation) => (
                <OperationEntry key={operation.id} {...{ operation, publicUrl }} />
              ))}
            </section>
          ))}
          <ErrorList />
        </div>
      </div>
    </main>
  );
}

function Start(o: { publicUrl: string; serviceName: string; operator: OperatorContact }) {
  const { publicUrl, serviceName, operator } = o;
  return (
    <section className={styles['prose']}>
      <h1 id="start" className={styles['target']}>
        API reference
      </h1>
      <p className="lead">
        Give the service the signature of a payment on Solana, and it writes a receipt that anyone
        can check.
      </p>
      <p>
        All paths are below <code>{publicUrl}</code>. The same reference for machines is{' '}
        <a href="/openapi.json">/openapi.json</a>, and for language models{' '}
        <a href="/llms.txt">/llms.txt</a>. Amounts are JSON numbers with an exact twin in base units
        whose name ends in <code>_raw</code>; times are UTC.
      </p>
      <p>
        A free receipt is for the payer or the seller: sign the text{' '}
        <code>{serviceName}:&#123;tx_signature&#125;</code> with that wallet, and send the base58
        signature in <code>X-Wallet-Signature</code> with the address in{' '}
        <code>X-Wallet-Address</code>.
      </p>
      <h2 id="paying" className={styles['target']}>
        Paying
      </h2>
      <p>
        From 1 USD on a receipt costs 0.1 % of the value, at least 0.10 and at most 5 USDC. The
        first answer is a 402 with an offer in three forms: for anything that can send USDC, for{' '}
        <a href="https://www.x402.org">x402</a> version 1 and for version 2. A request with an empty
        body and without a payment is answered 402 with the price range. A payment with an empty
        body is refused and never settled. Nothing is charged for a request that cannot succeed.
        After a 503 send the same request with the same payment again: it is never charged twice.
      </p>
      <p>
        Everything that arrives at the paid wallet in USDC, SOL or another token of the service’s
        table is on record within minutes, whether or not anybody presents it.{' '}
        <code>GET /payments/&#123;signature&#125;</code> tells what became of it. A payment that
        bought nothing stays its payer’s: USDC buys, with the wallet headers, one request of at most
        its amount within 90 days. Payments are not added up, so less than the smallest price buys
        nothing. A surplus, SOL or another token buys nothing either. The operator ({operator.name},{' '}
        <a href={operator.contactUri}>{operator.contact}</a>) makes refunds of the whole or of a
        part by hand and records them. What has been refunded buys nothing.
      </p>
      <p>
        A payment names its offer by an SPL memo that holds exactly the id of the quote. The memo
        counts from any of these programs:
      </p>
      <ul>
        {PAYMENT_MEMO_PROGRAMS.map((id) => (
          <li key={id}>
            <code>{id}</code>
          </li>
        ))}
      </ul>
      <h3>A paid receipt</h3>
      <PaidExamples publicUrl={publicUrl} route="/mint" />
      <h3>A statement</h3>
      <PaidExamples publicUrl={publicUrl} route="/statement" />
    </section>
  );
}

function Rules(o: { id: string; title: string; rules: typeof READING_RULES }) {
  return (
    <section className={styles['prose']} aria-labelledby={o.id}>
      <h2 id={o.id} className={styles['target']}>
        {o.title}
      </h2>
      <dl className={styles['parameters']}>
        {o.rules.map(({ name, text }) => (
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

/** What stands between backticks as code. */
function withCode(text: string): ReactNode {
  return text.split('`').map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part));
}

/** The programs of a paid route; the tests run them as they stand here. */
function PaidExamples(o: { publicUrl: string; route: '/mint' | '/statement' }) {
  const { curl, typescript, python } = paidExamples(o.publicUrl, o.route);
  const tab = (label: string, code: string) => ({
    id: label,
    label,
    content: <CodeBlock label={`${label}, ${o.route}`} code={code} />,
  });
  return (
    <Tabs
      label={`Examples of ${o.route}`}
      tabs={[tab('TypeScript', typescript), tab('curl', curl), tab('Python', python)]}
    />
  );
}

function OperationEntry({ operation, publicUrl }: { operation: Operation; publicUrl: string }) {
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
        {errors.length > 0 ? (
          <p className="small muted">
            Errors:{' '}
            {errors.map((code, at) => (
              <span key={code}>
                {at > 0 ? ', ' : ''}
                <a href={`#error-${code}`}>{code}</a>
              </span>
            ))}
          </p>
        ) : null}
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

function ErrorList() {
  return (
    <section className={styles['prose']} aria-labelledby="errors">
      <h2 id="errors" className={styles['target']}>
        Errors
      </h2>
      <p>
        Every refusal has a stable <code>code</code>, an <code>error</code> in words and a{' '}
        <code>request_id</code>. A 402 is an offer instead, with the code beside it.
      </p>
      <dl className={styles['parameters']}>
        {Object.entries(ERRORS).map(([code, { status, cause, fix }]) => (
          <div key={code} id={`error-${code}`} className={styles['target']}>
            <dt>
              <code>{code}</code> <span className="muted">{status}</span>
            </dt>
            <dd>
              {cause} {fix}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
