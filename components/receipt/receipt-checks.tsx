'use client';

import { api } from '../api';
import { failureOf } from '../api-client';
import { Banner } from '../ui/banner';
import { Button } from '../ui/button';
import { Sign } from '../ui/sign';
import { Skeleton } from '../ui/skeleton';
import { Time } from '../ui/time';
import styles from './receipt.module.css';

const SIGNS = { held: 'check', failed: 'cross', unknown: 'warning' } as const;

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
      {data?.verdict ? (
        <p>
          Verdict: <strong>{data.verdict}</strong>
        </p>
      ) : null}
      {data ? (
        <ul className={styles['checks']}>
          {data.lines.map((line) => (
            <li key={line.id}>
              <details>
                <summary>
                  <span className={styles[line.outcome]}>
                    <Sign name={SIGNS[line.outcome]} />
                  </span>
                  {line.title}
                  <span className={`${styles['result'] ?? ''} ${styles[line.outcome] ?? ''}`}>
                    {line.outcome}
                  </span>
                </summary>
                <ul className={styles['evidence']}>
                  {line.evidence.map((one) => (
                    <li key={one.id}>
                      {one.title}: {one.outcome}
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
      {data ? (
        <details className="small">
          <summary>Not provable by anyone</summary>
          <ul>
            {data.not_provable.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
        </details>
      ) : null}
    </section>
  );
}
