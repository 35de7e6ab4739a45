import type { Metadata } from 'next';
import { EnglishNote } from '@/components/english-note';
import styles from '@/components/docs/docs.module.css';
import { env } from '@/server/env';

export const metadata: Metadata = { title: 'Privacy' };

export default function PrivacyPage() {
  const { operator } = env();
  return (
    <main className={styles['prose']} lang="en">
      <EnglishNote />
      <h1>Privacy</h1>
      <p className="lead">
        What is public, what one party alone sees, and what is not kept at all.
      </p>
      <h2>Who is responsible</h2>
      <p>
        The operator of this service is responsible for the data on this page: {operator.name}.
        Contact: <a href={operator.contactUri}>{operator.contact}</a>.
      </p>
      <h2>Public and permanent</h2>
      <p>
        Everything on a receipt: both wallet addresses, amount, token, time, transaction, its value,
        and what the person who asked for it typed in. It is stored on a permanent network and
        proven on a public chain. Nobody can remove it, we included. So do not type in names, street
        addresses or anything else about people.
      </p>
      <h2>Only for the seller</h2>
      <p>
        When the payer asks for a receipt with the wallet, the country the request comes from is
        worked out from the internet address, in memory, using a database on our server. The
        two-letter country, how it was found and the date of that database are kept for the seller
        of that receipt, who may need it for tax. The internet address itself is not kept. The
        country is never on the receipt, in its files, in an export of the payer or in an answer to
        anybody else. It is deleted after 10 years.
      </p>
      <h2>Only for you</h2>
      <p>
        Private labels that you give your receipts in the dashboard are seen by your wallet alone.
      </p>
      <h2>For a short time</h2>
      <ul>
        <li>
          To limit how often one address calls, we keep a code made from it with a secret that
          changes every day. The address cannot be read back from it.
        </li>
        <li>
          Offers and the request they were made for are deleted about two days after they end.
        </li>
      </ul>
      <h2>In your browser</h2>
      <p>
        A receipt or statement that is not finished is kept in your browser, with its signed
        payment, until it is done. The page continues when you open it again. The name of the wallet
        app that you connected is kept too. On Android the app’s permission and your address are
        kept with it. You can switch that off where you connect. “Disconnect” deletes it. One cookie
        remembers light or dark, one the language that you choose, and one keeps you signed in to
        the dashboard. There is no tracking, no advertising, and no file from another site.
      </p>
    </main>
  );
}
