import { useLocale, useTranslations } from 'next-intl';
import type { ReceiptBody } from '@/server/use-cases/receipts/schemas';
import { leftOutWords } from '../reason-words';
import { Address } from '../ui/address';
import { amountOf } from '../ui/amount';
import { Facts } from '../ui/facts';
import { besideGroups, type BesideLine } from './beside-groups';
import styles from './receipt.module.css';

/** Other movements of the transaction, in small print. Empty when it moved nothing else. */
export function ReceiptBeside({ receipt }: { receipt: ReceiptBody }) {
  const t = useTranslations('receipt');
  const reasons = useTranslations('reasons');
  const groups = besideGroups(receipt);
  if (groups.length === 0) return null;
  return (
    <section className={styles['beside']} aria-labelledby="beside-title">
      <h2 id="beside-title">{t('beside.title')}</h2>
      <p className="muted">{t('beside.text')}</p>
      <Facts
        facts={groups.map((group) => ({
          term:
            group.kind === 'leftOut'
              ? leftOutWords(reasons, group.reason)
              : t(`beside.${group.kind}`),
          value: group.lines.map((line, at) => (
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
  const locale = useLocale();
  const { raw, decimals, token, from, to } = line;
  const isOwn = from !== null && from === to;
  return (
    <>
      <span className="numbers">{amountOf(raw, decimals, locale, 0)}</span> <Token token={token} />{' '}
      {from === null ? null : <Party {...{ receipt, owner: from, as: isOwn ? 'of' : 'from' }} />}{' '}
      {to === null || isOwn ? null : <Party {...{ receipt, owner: to, as: 'to' }} />}
    </>
  );
}

/** A token that is not in the table is named by its mint. */
function Token({ token }: { token: string }) {
  const t = useTranslations('receipt');
  const isMint = token.length > LONGEST_SYMBOL;
  return isMint ? <Address value={token} label={t('beside.token')} bare /> : token;
}
const LONGEST_SYMBOL = 12;

/** The owner, or the sender and the receiver. */
function Party(o: { owner: string; receipt: ReceiptBody; as: 'of' | 'from' | 'to' }) {
  const { owner, receipt, as } = o;
  const t = useTranslations('receipt');
  const who = owner === receipt.payer ? 'payer' : owner === receipt.seller ? 'seller' : 'other';
  return t.rich(`beside.${as}.${who}`, {
    owner: () => <Address value={owner} label={t('beside.owner')} bare />,
  });
}
