/** Says on every page of a local service that its receipts are play. */
export function TestChainBanner() {
  return (
    <p className="test-chain-banner" role="status">
      <strong>Test chain.</strong> This service runs on a chain of its own on this computer. Its
      receipts are not real.
    </p>
  );
}
