import { Amount } from '../ui/amount';
import { Facts } from '../ui/facts';
import paper from '../ui/paper.module.css';
import styles from './create.module.css';

/** A price of the service's list: what for, and the rule in words. */
export type Price = { title: string; rule: string };

/** What the page shows before a payment is chosen: the steps, a sample receipt and the prices. */
export function HowItWorks({ prices }: { prices: readonly Price[] }) {
  return (
    <>
      <ol className={styles['how']} aria-label="How it works">
        <li>
          <h2>Find the payment</h2>
          <p className="muted small">
            We read payer, seller, amount and time from Solana. Nobody types them in.
          </p>
        </li>
        <li>
          <h2>Say what it was for</h2>
          <p className="muted small">
            Your wallet confirms that you paid or were paid. Then you add a few words.
          </p>
        </li>
        <li>
          <h2>Anyone can check it</h2>
          <p className="muted small">
            The receipt is stored permanently and recorded on Solana, in the payer’s wallet.
          </p>
        </li>
      </ol>
      <div className={styles['offer']}>
        <SampleReceipt />
        <section aria-labelledby="prices" className="stack">
          <h2 id="prices">Prices</h2>
          <dl className={styles['prices']}>
            {prices.map(({ title, rule }) => (
              <div key={title}>
                <dt>{title}</dt>
                <dd className="muted">{rule}</dd>
              </div>
            ))}
            <div>
              <dt>Checking a receipt</dt>
              <dd className="muted">Free, for everybody.</dd>
            </div>
          </dl>
        </section>
      </div>
    </>
  );
}

/** A made-up receipt, marked as one. */
function SampleReceipt() {
  return (
    <figure className={styles['sample']}>
      <div className={paper['paper']} role="group" aria-label="Sample receipt">
        <div className={`${paper['head']} ${styles['ruled']}`}>
          <span className={paper['title']}>RECEIPT</span>
          <span className="muted small">Sample</span>
        </div>
        <Amount size="large" value="25.00" token="USDC" worth="25.00 USD" />
        <Facts
          facts={[
            { term: 'For', value: 'API access, March' },
            { term: 'Paid to', value: 'Example Studio' },
            { term: 'Date', value: '4 Mar 2026, 09:30 UTC' },
            { term: 'Invoice', value: '2026-0142' },
          ]}
        />
      </div>
      <figcaption className="muted small">
        A sample. A real receipt links to its payment and shows who stated each field.
      </figcaption>
    </figure>
  );
}
