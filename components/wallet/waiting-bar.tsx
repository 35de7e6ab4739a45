import { Button } from '../ui/button';
import styles from './waiting-bar.module.css';
import type { Waiting } from './wallet-wait';

/** Says that a wallet has a request open, and lets the reader end the wait. The region is always in the page. */
export function WaitingBar({ waiting }: { waiting: Waiting | null }) {
  return (
    <div className={styles['region']} role="status" aria-label="Wallet">
      {waiting ? (
        <div className={styles['bar']}>
          <span>Waiting for {waiting.wallet}. Approve or reject the request there.</span>
          <Button size="small" onClick={waiting.stop}>
            Stop waiting
          </Button>
        </div>
      ) : null}
    </div>
  );
}
