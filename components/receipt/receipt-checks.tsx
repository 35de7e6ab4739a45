'use client';

import { api } from '../api';
import { failureOf } from '../api-client';
import { Banner } from '../ui/banner';
import { Button } from '../ui/button';
import { Sign } from '../ui/sign';
import { Skeleton } from '../ui/skeleton';
import { Time } from '../ui/time';
import styles from './receipt.module.css';

/** What a check of the receipt against chain and storage says now, each line with its evidence. */
export function ReceiptChecks({ receiptId }: { receiptId: string }) {
  const { data, error, isPending, isFetching, refetch } = api.web.check.useQuery({
    receipt_id: receiptId,
  });
  return (
    <section className="stack" aria-label="Check">
      <div className={styles['head']}>
        <h2>Checked just now</h2>
        {data?.checked_at ? (
          <span className="muted small">
            <Time value={data.checked_at} precision="second" />
          </span>
        ) : null}
      </div>
      {isPending ? <Skeleton lines={4} label="Checking the receipt" /> : null}
      {error ? (
        <Banner
          kind="warning"
          title="It could not be checked now"
          actions={
            <Button size="small" busy={isFetching} onClick={() => void refetch()}>
              Check again
            </Button>
          }
        >
          {failureOf(error).message}
        </Banner>
      ) : null}
      {data ? (
        <ul className={styles['checks']}>
          {data.lines.map((line) => (
            <li key={line.id}>
              <details>
                <summary>
                  <span className={line.held ? styles['held'] : styles['broken']}>
                    <Sign name={line.held ? 'check' : 'cross'} />
                  </span>
                  {line.title}
                  <span
                    className={`${styles['result'] ?? ''} ${(line.held ? styles['held'] : styles['broken']) ?? ''}`}
                  >
                    {line.held ? 'holds' : 'does not hold'}
                  </span>
                </summary>
                <ul className={styles['evidence']}>
                  {line.evidence.map((one) => (
                    <li key={one.id}>
                      {one.title}: {one.held ? 'yes' : 'no'}
                      <br />
                      <span className="muted">{one.detail}</span>
                    </li>
                  ))}
                </ul>
              </details>
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  );
}
