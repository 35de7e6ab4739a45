import type { Metadata } from 'next';
import { EnglishNote } from '@/components/english-note';
import styles from '@/components/docs/docs.module.css';
import { withCode } from '@/components/docs/with-code';
import { env } from '@/server/env';
import { HIDING_RULES, LABEL_RULES } from '@/server/rest/openapi/llms-text';

export const metadata: Metadata = { title: 'Terms' };

export default function TermsPage() {
  const { operator, frozenReceipts } = env();
  return (
    <main className={styles['prose']} lang="en">
      <EnglishNote />
      <h1>Terms</h1>
      <p className="lead">The service, its prices, and the rules when something fails.</p>
      <h2>Operator</h2>
      <p>
        Operator of this service: {operator.name}. Contact:{' '}
        <a href={operator.contactUri}>{operator.contact}</a>.
      </p>
      <h2>Receipts</h2>
      <p>
        A receipt is a record of a payment that the chain shows: who paid whom, how much of which
        token, and when. We read these facts from the chain and mark them as verified. The purpose,
        the invoice number and the kind of payment come from the wallet that asked for the receipt,
        and are marked so. A receipt is not an invoice, and it is no tax advice.
      </p>
      <h2>Prices</h2>
      <ul>
        <li>Payments worth less than 1 USD: free, for the payer and the seller.</li>
        <li>From 1 USD on: 0.1 % of the value, at least 0.10 and at most 5 USDC.</li>
        <li>
          Statements: 1 USDC for 1 to 10 transactions, 3 USDC for 11 to 50, 5 USDC for more than 50.
        </li>
      </ul>
      <p>We show the price before you sign anything. The network takes its own small fee in SOL.</p>
      <h2>When something fails</h2>
      <ul>
        <li>Nothing is charged for a request that cannot succeed.</li>
        <li>
          We never ask for a payment twice. If it is unclear whether it landed, we wait until it is
          known.
        </li>
        <li>
          If minting the NFT of a receipt fails, we retry it without a new fee. You can retry it as
          well.
        </li>
        <li>
          We record everything you send us in USDC, SOL or another token of our table within
          minutes, whether or not you present it.
        </li>
        <li>
          A payment that bought nothing stays yours. USDC then buys one request of at most its
          amount within 90 days, with the wallet that paid it. Payments are not added up, so less
          than the smallest price buys nothing.
        </li>
        <li>
          Money above the price, SOL and other tokens buy nothing. We record and show them, and do
          not send them back automatically.
        </li>
        <li>
          We make refunds of the whole or of a part by hand, when you ask at{' '}
          <a href={operator.contactUri}>{operator.contact}</a>, and record them with their
          transaction. A refunded payment buys nothing.
        </li>
      </ul>
      <h2>Permanent records</h2>
      <p>
        Receipts are public and permanent. Nobody can change or delete the files on permanent
        storage or the proof on chain, and we cannot either. You may move or burn the token in your
        wallet; the receipt stays true.
        {frozenReceipts &&
          ' One exception: the token of a receipt that you request as its payer is frozen. You can neither move nor burn it.'}
      </p>
      <h2>Labels</h2>
      <p>
        The labels of a receipt are the purpose, the kind and the invoice number of its payment. The
        same rule is in the <a href="/docs#labels">API reference</a>.
      </p>
      <ul>
        {LABEL_RULES.map(({ name, text }) => (
          <li key={name}>
            <strong>{name}.</strong> {withCode(text)}
          </li>
        ))}
      </ul>
      {HIDING_RULES.map(({ name, text }) => (
        <p key={name}>{text}</p>
      ))}
      <p>
        To report labels, write to <a href={operator.contactUri}>{operator.contact}</a> and name the
        receipt.
      </p>
      <h2>Automated use</h2>
      <p>
        You may call the service from programs. It limits how often one address and one wallet may
        call, and says so when a limit is reached.
      </p>
    </main>
  );
}
