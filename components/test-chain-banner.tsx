import styles from './test-chain-banner.module.css';

/** Says on every page of a local service that its receipts are play. */
export function TestChainBanner() {
  return (
    <aside className={styles['banner']} aria-label="Test chain">
      <strong>Test chain.</strong> This service runs on a chain of its own on this computer. Its
      receipts are not real.
    </aside>
  );
}
