import type { ReceiptBody } from '@/server/use-cases/receipts/schemas';
import { Address } from '../ui/address';
import { amountOf } from '../ui/amount';
import { Facts } from '../ui/facts';
import { besideGroups, type BesideLine } from './beside-groups';
import styles from './receipt.module.css';

/** What else the transaction moved, in small print. Nothing where it moved nothing else. */
export function ReceiptBeside({ receipt }: { receipt: ReceiptBody }) {
  const groups = besideGroups(receipt);
  if (groups.length === 0) return null;
  return (
    <section className={styles['beside']} aria-labelledby="beside-title">
      <h2 id="beside-title">In the same transaction</h2>
      <p className="muted">Read from the chain. None of it is part of the amount above.</p>
      <Facts
        facts={groups.map(({ term, lines }) => ({
          term,
          value: lines.map((line, at) => (
            <span key={at} className={styles['line']}>
              <Moved {...{ line, receipt }} />
            </span>
          )),
        }))}
      />
    </section>
  );
}

function Moved({ line, receipt }: { line: BesideLine; receipt: ReceiptBody }) {
  const { raw, decimals, token, from, to } = line;
  const isOwn = from !== null && from === to;
  return (
    <>
      <span className="numbers">{amountOf(raw, decimals, 0)}</span> <Token token={token} />
      {from === null ? null : (
        <>
          {isOwn ? ' of ' : ' from '}
          <Party owner={from} receipt={receipt} />
        </>
      )}
      {to === null || isOwn ? null : (
        <>
          {' to '}
          <Party owner={to} receipt={receipt} />
        </>
      )}
    </>
  );
}

/** A token that is not in the table is named by its mint. */
function Token({ token }: { token: string }) {
  const isMint = token.length > LONGEST_SYMBOL;
  return isMint ? <Address value={token} label="Token" bare /> : token;
}
const LONGEST_SYMBOL = 12;

function Party({ owner, receipt }: { owner: string; receipt: ReceiptBody }) {
  if (owner === receipt.payer) return 'the payer';
  if (owner === receipt.seller) return 'the seller';
  return <Address value={owner} label="Owner" bare />;
}
