'use client';

import { api } from '../api';
import { Address } from '../ui/address';
import { Amount, groupAmount } from '../ui/amount';
import { Banner } from '../ui/banner';
import { ButtonLink } from '../ui/button';
import { plural } from '../ui/plural';
import { Table } from '../ui/table';
import { Time } from '../ui/time';

/** What waits for the wallet: unfinished receipts, and incoming payments that a fee is due for. */
export function Attention() {
  const { data } = api.dashboard.attention.useQuery();
  const registration = api.dashboard.registration.useQuery();
  if (!data || registration.isPending) return null;
  const { pending, failed, fee_due: due } = data;
  return (
    <>
      {failed > 0 ? (
        <Banner kind="warning" title={`${plural(failed, 'receipt')} without proof on chain`} quiet>
          The payments are not affected. Choose the state “Failed” below and try again; it costs
          nothing.
        </Banner>
      ) : null}
      {pending > 0 ? (
        <Banner quiet title={`${plural(pending, 'receipt')} being made`}>
          Their proof on chain follows within minutes. You have nothing to do.
        </Banner>
      ) : null}
      {due.count > 0 ? (
        <section className="stack" aria-labelledby="fee-due">
          <h2 id="fee-due">Fee due</h2>
          <p className="muted">
            {plural(due.count, 'payment')} of 1 USD or more came in. Their receipts are made when
            the fee is paid, by you or by the payer.
          </p>
          <Table
            caption="Incoming payments that a fee is due for"
            columns={[
              {
                key: 'time',
                head: 'Time',
                rowHead: true,
                cell: (row) => <Time value={row.block_time} />,
              },
              {
                key: 'amount',
                head: 'Amount',
                numeric: true,
                cell: (row) => <Amount value={row.amount} token={row.token} />,
              },
              {
                key: 'fee',
                head: 'Fee',
                numeric: true,
                cell: (row) => `${groupAmount(row.fee)} USDC`,
              },
              {
                key: 'from',
                head: 'From',
                cell: (row) => <Address value={row.payer} label="Payer" bare />,
              },
              {
                key: 'way',
                head: 'Action',
                action: true,
                cell: (row) => (
                  <ButtonLink
                    size="small"
                    href={createUrl(row.tx_signature, registration.data?.service_type)}
                  >
                    Create receipt
                  </ButtonLink>
                ),
              },
            ]}
            rows={due.items}
            rowKey={(row) => row.tx_signature}
          />
          {due.count > due.items.length ? (
            <p className="muted small">The newest {due.items.length} are shown.</p>
          ) : null}
        </section>
      ) : null}
    </>
  );
}

/** The page that creates the receipt, with what the seller registered its payments to be for. */
function createUrl(txSignature: string, serviceType: string | undefined): string {
  const query = new URLSearchParams({ tx: txSignature });
  if (serviceType !== undefined) query.set('for', serviceType);
  return `/?${query.toString()}`;
}
