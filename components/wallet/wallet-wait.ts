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
  /** The name of the wallet, as in `Signer`. */
  wallet: string;
  /** Ends the wait. A later answer of the wallet is ignored. */
  stop: () => void;
  /** Opens the wallet app. Browsers allow that only at a press. Null once the wallet was asked. */
  open: (() => void) | null;
};

/** Shows a wait. The returned function removes it. */
export type ShowWaiting = (waiting: Waiting) => () => void;

/** Shows the newest wait alone. The end of an older one does not remove it. */
export function showNewest(
  change: (next: (shown: Waiting | null) => Waiting | null) => void,
): ShowWaiting {
  return (waiting) => {
    change(() => waiting);
    return () => change((shown) => (shown === waiting ? null : shown));
  };
}

/**
 * Asks a wallet and waits for its answer, for at most three minutes or until `stop` is called.
 * With `needsPress`, it asks when the reader calls `open`. Reports the wait until it ends. Rejects
 * with the wallet's own error, or with {@link WalletSilent}.
 */
export async function waitForWallet<T>(
  ask: () => Promise<T>,
  o: { wallet: string; onWaiting: ShowWaiting; needsPress?: boolean; limitMs?: number },
): Promise<T> {
  const over = new AbortController();
  const silent = new Promise<never>((_, reject) => {
    over.signal.addEventListener('abort', () => reject(over.signal.reason));
  });
  const giveUp = (reason: WalletSilent['reason']) => over.abort(new WalletSilent(reason));
  const timer = setTimeout(() => giveUp('timed_out'), o.limitMs ?? LIMIT_MS);
  let end = () => {};
  const show = (open: Waiting['open']) => {
    end();
    end = o.onWaiting({ wallet: o.wallet, stop: () => giveUp('stopped'), open });
  };
  try {
    if (o.needsPress === true)
      await Promise.race([new Promise<void>((resolve) => show(resolve)), silent]);
    show(null);
    return await Promise.race([ask(), silent]);
  } finally {
    clearTimeout(timer);
    end();
  }
}
