/** How long a wallet may take for one request, in ms. A person must find it, unlock it and read. */
const LIMIT_MS = 180_000;

/** Thrown when a wallet gave no answer: its owner stopped waiting, or the time was up. */
export class WalletSilent extends Error {
  constructor(readonly reason: 'stopped' | 'timed_out') {
    super(
      reason === 'stopped'
        ? 'You stopped waiting for the wallet.'
        : 'The wallet did not answer within three minutes.',
    );
    this.name = 'WalletSilent';
  }
}

/** A request that a wallet has not answered yet. */
export type Waiting = {
  /** The wallet's name. */
  wallet: string;
  /** Ends the wait. A later answer of the wallet is ignored. */
  stop: () => void;
};

/**
 * Asks a wallet and waits for its answer, for at most three minutes or until `stop` is called. Reports the wait
 * while it lasts. Rejects with the wallet's own error, or with {@link WalletSilent}.
 */
export async function waitForWallet<T>(
  ask: () => Promise<T>,
  o: { wallet: string; onWaiting: (waiting: Waiting | null) => void; limitMs?: number },
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silent = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new WalletSilent('timed_out')), o.limitMs ?? LIMIT_MS);
    o.onWaiting({ wallet: o.wallet, stop: () => reject(new WalletSilent('stopped')) });
  });
  try {
    return await Promise.race([ask(), silent]);
  } finally {
    clearTimeout(timer);
    o.onWaiting(null);
  }
}
