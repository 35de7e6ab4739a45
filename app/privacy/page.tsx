import type { Metadata } from 'next';
import { EnglishNote } from '@/components/english-note';
import styles from '@/components/docs/docs.module.css';
import { env } from '@/server/env';

export const metadata: Metadata = { title: 'Privacy' };

export default function PrivacyPage() {
  const { operator, jurisdictionYears } = env();
  return (
    <main className={styles['prose']} lang="en">
      <EnglishNote />
      <h1>Privacy</h1>
      <p className="lead">
        The data that is public, the data that one party alone sees, and the data that we do not
        keep.
      </p>
      <h2>Responsible operator</h2>
      <p>
        The operator of this service is responsible for the data on this page: {operator.name}.
        Contact: <a href={operator.contactUri}>{operator.contact}</a>.
      </p>
      <h2>Public and permanent</h2>
      <p>
        Everything on a receipt: both wallet addresses, amount, token, time, transaction, its value,
        and the texts that the person who asked for it typed in. We store it on a permanent network
        and record it on a public chain. Nobody can remove it, and we cannot either. So do not type
        in names, street addresses or anything else about people.
      </p>
      <h2>Only for the seller</h2>
      <p>
        When the payer asks for a receipt with the wallet, we look up the country of the request. We
        use the internet address, in memory, and a database on our server. We keep the two-letter
        country, how it was found and the date of that database. They are for the seller of that
        receipt, who may need them for tax. We do not keep the internet address itself. The country
        is never on the receipt, in its files, in an export of the payer or in an answer to anybody
        else. We delete it after {jurisdictionYears} {jurisdictionYears === 1 ? 'year' : 'years'}.
      </p>
      <h2>Only for you</h2>
      <p>Only your wallet sees the notes that you add to receipts in the dashboard.</p>
      <h2>For a short time</h2>
      <ul>
        <li>
          To limit how often one address calls, we keep a code made from it with a secret that
          changes every day. Nobody can read the address from it.
        </li>
        <li>
          We delete offers, with the request they were made for, about two days after they end.
        </li>
      </ul>
      <h2>In your browser</h2>
      <p>
        Your browser keeps a receipt or statement that is not finished, with its signed payment,
        until it is done. The page continues when you open it again. Your browser also keeps the
        name of the wallet app that you connected. On Android it keeps the app’s permission and your
        address as well. You can switch that off where you connect. “Disconnect” deletes it. One
        cookie remembers light or dark, one the language that you choose, and one keeps you signed
        in to the dashboard. Your browser keeps the currency that you choose. There is no tracking,
        no advertising, and no file from another site.
      </p>
    </main>
  );
}
