'use client';

import { Sign } from '../ui/sign';
import { Skeleton } from '../ui/skeleton';
import type { Proven } from './check-command';
import styles from './proof.module.css';
import { useCheck } from './use-check';
import type { MintState } from './verdict-words';

const SIGNS = { held: 'check', failed: 'cross', unknown: 'warning' } as const;

/** What the verdict rests on: a line for each group of checks, each with its evidence. */
export function Evidence({ of, state }: { of: Proven; state: MintState }) {
  const { data, isPending } = useCheck(of, state);
  if (state !== 'completed') return null;
  return (
    <section className="stack" aria-label="Evidence">
      <h2>Evidence</h2>
      {isPending ? <Skeleton lines={4} label={`Checking the ${of.kind}`} /> : null}
      {data ? (
        <>
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
          <details className="small">
            <summary>Not provable by anyone</summary>
            <ul>
              {data.not_provable.map((one) => (
                <li key={one}>{one}</li>
              ))}
            </ul>
          </details>
        </>
      ) : null}
    </section>
  );
}
