'use client';

import { useLocale, useTranslations } from 'next-intl';
import { api } from '../api';
import { Address } from '../ui/address';
import { Amount, groupAmount } from '../ui/amount';
import { Banner } from '../ui/banner';
import { ButtonLink } from '../ui/button';
import { Table } from '../ui/table';
import { Time } from '../ui/time';

/** Items that wait for the wallet: unfinished receipts, and incoming payments with a fee due. */
export function Attention({ wallet }: { wallet: string }) {
  const t = useTranslations('dashboard');
  const locale = useLocale();
  const { data } = api.dashboard.attention.useQuery({ wallet });
  const registration = api.dashboard.registration.useQuery({ wallet });
  if (!data || registration.isPending) return null;
  const { pending, failed, fee_due: due } = data;
  return (
    <>
      {failed > 0 ? (
        <Banner kind="warning" title={t('attention.failed', { count: failed })} quiet>
          {t('attention.failedText')}
        </Banner>
      ) : null}
      {pending > 0 ? (
        <Banner quiet title={t('attention.pending', { count: pending })}>
          {t('attention.pendingText')}
        </Banner>
      ) : null}
      {due.count > 0 ? (
        <section className="stack" aria-labelledby="fee-due">
          <h2 id="fee-due">{t('attention.feeDue')}</h2>
          <p className="muted">{t('attention.feeDueText', { count: due.count })}</p>
          <Table
            stacks
            caption={t('attention.caption')}
            columns={[
              {
                key: 'time',
                head: t('attention.time'),
                rowHead: true,
                cell: (row) => <Time value={row.block_time} />,
              },
              {
                key: 'amount',
                head: t('attention.amount'),
                numeric: true,
                cell: (row) => <Amount value={row.amount} token={row.token} />,
              },
              {
                key: 'fee',
                head: t('attention.fee'),
                numeric: true,
                cell: (row) => `${groupAmount(row.fee, locale)} USDC`,
              },
              {
                key: 'from',
                head: t('attention.from'),
                cell: (row) => <Address value={row.payer} label={t('attention.payer')} bare />,
              },
              {
                key: 'way',
                head: t('attention.action'),
                action: true,
                cell: (row) => (
                  <ButtonLink
                    size="small"
                    href={createUrl(row.tx_signature, registration.data?.service_type)}
                  >
                    {t('attention.create')}
                  </ButtonLink>
                ),
              },
            ]}
            rows={due.items}
            rowKey={(row) => row.tx_signature}
          />
          {due.count > due.items.length ? (
            <p className="muted small">{t('attention.newest', { count: due.items.length })}</p>
          ) : null}
        </section>
      ) : null}
    </>
  );
}

/**
 * The page that creates the receipt, with the purpose that the seller registered for its payments.
 */
function createUrl(txSignature: string, serviceType: string | undefined): string {
  const query = new URLSearchParams({ tx: txSignature });
  if (serviceType !== undefined) query.set('for', serviceType);
  return `/?${query.toString()}`;
}
