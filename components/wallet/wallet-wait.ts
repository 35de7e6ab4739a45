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
  /** The wallet's name; null for a wallet app on this phone, whose name is not known. */
  wallet: string | null;
  /** Ends the wait. A later answer of the wallet is ignored. */
  stop: () => void;
};

/** Shows a wait. The function that comes back takes it away. */
export type ShowWaiting = (waiting: Waiting) => () => void;

/** Shows the newest wait alone. The end of an older one does not take it away. */
export function showNewest(
  change: (next: (shown: Waiting | null) => Waiting | null) => void,
): ShowWaiting {
  return (waiting) => {
    change(() => waiting);
    return () => change((shown) => (shown === waiting ? null : shown));
  };
}

/**
 * Asks a wallet and waits for its answer, for at most three minutes or until `stop` is called. Reports the wait
 * while it lasts. Rejects with the wallet's own error, or with {@link WalletSilent}.
 */
export async function waitForWallet<T>(
  ask: () => Promise<T>,
  o: { wallet: string; onWaiting: ShowWaiting; limitMs?: number },
): Promise<T> {
  const over = new AbortController();
  const silent = new Promise<never>((_, reject) => {
    over.signal.addEventListener('abort', () => reject(over.signal.reason));
  });
  const giveUp = (reason: WalletSilent['reason']) => over.abort(new WalletSilent(reason));
  const timer = setTimeout(() => giveUp('timed_out'), o.limitMs ?? LIMIT_MS);
  const end = o.onWaiting({ wallet: o.wallet, stop: () => giveUp('stopped') });
  try {
    return await Promise.race([ask(), silent]);
  } finally {
    clearTimeout(timer);
    end();
  }
}
