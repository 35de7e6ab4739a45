import { CodeBlock } from '@/components/docs/code-block';
import { DefinitionList } from '@/components/docs/definition-list';
import styles from '@/components/docs/docs.module.css';
import { OfferShapes } from '@/components/docs/offer-shapes';
import { Tabs } from '@/components/ui/tabs';
import type { OperatorContact } from '@/server/operator-contact';
import { CURL_VARIABLES } from '@/server/rest/openapi/curl-line';
import {
  firstReceipt,
  PAYMENT_MEMO_PROGRAMS,
  paidExamples,
} from '@/server/rest/openapi/paid-examples';

/** The first part: the service in short, the first receipt, and paying. */
export function Start(o: { publicUrl: string; serviceName: string; operator: OperatorContact }) {
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
        first answer is a 402 with an offer in three forms. They are for any program that can send
        USDC, for <a href="https://www.x402.org">x402</a> version 1, and for version 2. A request
        with an empty body and without a payment is answered 402 with the price range. A payment
        with an empty body is refused and never settled. Nothing is charged for a request that
        cannot succeed. After a 503 send the same request with the same payment again: it is never
        charged twice.
      </p>
      <p>
        The service records everything that arrives at the paid wallet in USDC, SOL or another token
        of its table within minutes, presented or not.{' '}
        <code>GET /payments/&#123;signature&#125;</code> shows its state. A payment that bought
        nothing stays its payer’s. USDC then buys one request of at most its amount within 90 days,
        with the wallet headers of the payer. Payments are not added up, so less than the smallest
        price buys nothing. A surplus, SOL or another token buys nothing either. The operator (
        {operator.name}, <a href={operator.contactUri}>{operator.contact}</a>) makes refunds of the
        whole or of a part by hand and records them. A refunded payment buys nothing.
      </p>
      <p>
        A payment names its offer by an SPL memo that is exactly the id of the quote. The memo
        counts from any of these programs:
      </p>
      <ul>
        {PAYMENT_MEMO_PROGRAMS.map((id) => (
          <li key={id}>
            <code>{id}</code>
          </li>
        ))}
      </ul>
      <OfferShapes />
      <h3>A paid receipt</h3>
      <PaidExamples publicUrl={publicUrl} route="/mint" />
      <h3>A statement</h3>
      <PaidExamples publicUrl={publicUrl} route="/statement" />
    </section>
  );
}

/** Runnable programs from a payment to its receipt without a fee. The tests run both unchanged. */
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
      <h3 id="variables" className={styles['target']}>
        Variables of the examples
      </h3>
      <p>
        Every shell command in this reference runs unchanged after you set its variables, for
        example with <code>export RECEIPT_ID=…</code>.
      </p>
      <DefinitionList
        entries={Object.entries(CURL_VARIABLES).map(([name, text]) => ({ name, text }))}
      />
      <p className="small muted">
        To run the service yourself, read <code>docs/settings.md</code> of its source: it explains
        each setting.
      </p>
    </>
  );
}

/** The programs of a paid route. The tests run them unchanged. */
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
