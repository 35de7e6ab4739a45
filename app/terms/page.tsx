import type { Metadata } from 'next';
import { EnglishNote } from '@/components/english-note';
import styles from '@/components/docs/docs.module.css';
import { env } from '@/server/env';

export const metadata: Metadata = { title: 'Terms' };

export default function TermsPage() {
  const { operator, frozenReceipts } = env();
  return (
    <main className={styles['prose']} lang="en">
      <EnglishNote />
      <h1>Terms</h1>
      <p className="lead">What you get, what it costs, and what happens when something fails.</p>
      <h2>Who operates the service</h2>
      <p>
        Operator of this service: {operator.name}. Contact:{' '}
        <a href={operator.contactUri}>{operator.contact}</a>.
      </p>
      <h2>What a receipt is</h2>
      <p>
        A receipt is a record of a payment that the chain shows: who paid whom, how much of which
        token, and when. These facts are read from the chain and marked as verified. What it was
        for, the invoice number and the kind of payment are the word of the wallet that asked for
        the receipt, and are marked so. It is not an invoice, and it is no tax advice.
      </p>
      <h2>What it costs</h2>
      <ul>
        <li>Payments worth less than 1 USD: free, for the payer and the seller.</li>
        <li>From 1 USD on: 0.1 % of the value, at least 0.10 and at most 5 USDC.</li>
        <li>
          Statements: 1 USDC for 1 to 10 transactions, 3 USDC for 11 to 50, 5 USDC for more than 50.
        </li>
      </ul>
      <p>
        The price is named before you sign anything. The network takes its own small fee in SOL.
      </p>
      <h2>When something fails</h2>
      <ul>
        <li>Nothing is charged for a request that cannot succeed.</li>
        <li>
          A payment is never asked for twice. If its fate is unclear, we wait until it is known.
        </li>
        <li>
          A proof on chain that fails is tried again without a new fee, by us and whenever you ask.
        </li>
        <li>
          Everything you send us in USDC, SOL or another token of our table is on record within
          minutes, whether or not you present it.
        </li>
        <li>
          A payment that bought nothing stays yours. USDC buys, with the wallet that paid it, one
          request of at most its amount within 90 days. Payments are not added up, so less than the
          smallest price buys nothing.
        </li>
        <li>
          What you send above the price, and SOL or other tokens, buy nothing. They are recorded and
          shown, and not sent back automatically.
        </li>
        <li>
          We make refunds of the whole or of a part by hand, when you ask at{' '}
          <a href={operator.contactUri}>{operator.contact}</a>, and record them with their
          transaction. A refunded payment buys nothing.
        </li>
      </ul>
      <h2>What cannot be undone</h2>
      <p>
        Receipts are public and permanent. Nobody can change or delete the files on permanent
        storage or the proof on chain, and we cannot either. You may move or burn the token in your
        wallet; the receipt stays true.
        {frozenReceipts &&
          ' One exception: the token of a receipt that you request as its payer is frozen. You can neither move nor burn it.'}
      </p>
      <h2>What you may not write</h2>
      <p>
        No links, no handles, nothing that names a private person or breaks the law. Links and
        handles are refused by the service.
      </p>
      <p>
        We hide words that break these rules, for example personal data or slander. A note then
        takes their place on our pages, in images that we serve, in lists and in exports, for payer
        and seller as well. The signed files stay as they are. To report words, write to{' '}
        <a href={operator.contactUri}>{operator.contact}</a> and name the receipt.
      </p>
      <h2>Automated use</h2>
      <p>
        You may call the service from programs. It limits how often one address and one wallet may
        call, and says so when a limit is reached.
      </p>
    </main>
  );
}
