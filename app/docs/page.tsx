import type { Metadata } from 'next';
import { EnglishNote } from '@/components/english-note';
import { CodeBlock } from '@/components/docs/code-block';
import styles from '@/components/docs/docs.module.css';
import { Tabs } from '@/components/ui/tabs';
import { withPreview } from '../with-preview';
import { env } from '@/server/env';
import { ERRORS } from '@/server/errors';
import type { OperatorContact } from '@/server/operator-contact';
import { OPERATIONS } from '@/server/rest/operations/operations';
import {
  EXAMPLE_VARIABLES,
  firstReceipt,
  PAYMENT_MEMO_PROGRAMS,
  paidExamples,
} from '@/server/rest/openapi/paid-examples';
import { EXAMPLE_ANSWERS } from '@/server/rest/openapi/openapi-document';
import { OperationEntry, withCode } from './operation-entry';
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
    <main className="wide" lang="en">
      <EnglishNote />
      <div className={styles['page']}>
        <nav className={styles['contents']} aria-label="Contents">
          <ul>
            <li>
              <a href="#start">Start</a>
            </li>
            <li>
              <a href="#first">First receipt in five minutes</a>
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
        <a href="/llms.txt">/llms.txt</a>. Amounts are JSON numbers with an exact copy in base units
        whose name ends in <code>_raw</code>; times are UTC.
      </p>
      <FirstReceipt {...{ publicUrl, serviceName }} />
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
        part by hand and records them. A refunded payment buys nothing.
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

/** From a payment to its receipt without a fee; the tests run both programs as they stand here. */
function FirstReceipt({ publicUrl, serviceName }: { publicUrl: string; serviceName: string }) {
  const { curl, typescript } = firstReceipt(publicUrl, serviceName);
  return (
    <>
      <h2 id="first" className={styles['target']}>
        First receipt in five minutes
      </h2>
      <p>
        Take a payment of less than 1 USD that your wallet made or received: its receipt is free.
        The wallet signs the text <code>{serviceName}:&#123;tx_signature&#125;</code>, which proves
        that it took part. Send the base58 signature in <code>X-Wallet-Signature</code> and the
        address in <code>X-Wallet-Address</code>.
      </p>
      <Examples
        label="Examples of a first receipt"
        of="first receipt"
        programs={{ TypeScript: typescript, curl }}
      />
      <p>
        curl needs the Solana command line tools with your key. TypeScript needs Node.js 20 or
        later: <code>npm install @solana/kit bs58 tsx</code>, then <code>npx tsx receipt.mts</code>.
      </p>
      <h3>Variables of the examples</h3>
      <dl className={styles['parameters']}>
        {Object.entries(EXAMPLE_VARIABLES).map(([name, meaning]) => (
          <div key={name}>
            <dt>
              <code>{name}</code>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <p className="small muted">
        To run the service yourself, read <code>docs/settings.md</code> of its source: it explains
        each setting.
      </p>
    </>
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

/** The programs of a paid route; the tests run them as they stand here. */
function PaidExamples(o: { publicUrl: string; route: '/mint' | '/statement' }) {
  const { curl, typescript, python } = paidExamples(o.publicUrl, o.route);
  const programs = { TypeScript: typescript, curl, Python: python };
  return <Examples label={`Examples of ${o.route}`} of={o.route} programs={programs} />;
}

function Examples(o: { label: string; of: string; programs: Readonly<Record<string, string>> }) {
  return (
    <Tabs
      label={o.label}
      tabs={Object.entries(o.programs).map(([name, code]) => ({
        id: name,
        label: name,
        content: <CodeBlock label={`${name}, ${o.of}`} code={code} />,
      }))}
    />
  );
}

/** As the tests see it. */
const REFUSAL = EXAMPLE_ANSWERS['readReceipt']?.['404'] ?? {};

function ErrorList() {
  return (
    <section className={styles['prose']} aria-labelledby="errors">
      <h2 id="errors" className={styles['target']}>
        Errors
      </h2>
      <CodeBlock label="A refusal" code={JSON.stringify(REFUSAL, null, 2)} />
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
