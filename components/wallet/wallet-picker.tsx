'use client';

import { WalletReadyState, type Adapter } from '@solana/wallet-adapter-base';
import { useWallet, WalletProvider } from '@solana/wallet-adapter-react';
import { useState } from 'react';
import { Banner } from '../ui/banner';
import { Button } from '../ui/button';
import { isRejection, type Signer } from './signer';
import { signerOf } from './signer-of';
import styles from './wallet-picker.module.css';

type PickerProps = { onConnected: (signer: Signer) => void };

/** The wallets of this browser, found by themselves, and more when asked for. */
export default function WalletPicker(props: PickerProps) {
  const [more, setMore] = useState<Adapter[]>([]);
  return (
    <WalletProvider wallets={more} autoConnect={false} localStorageKey="quittance-wallet">
      <Picker {...props} hasMore={more.length === 0} onMore={setMore} />
    </WalletProvider>
  );
}

function Picker({
  onConnected,
  hasMore,
  onMore,
}: PickerProps & { hasMore: boolean; onMore: (adapters: Adapter[]) => void }) {
  const { wallets } = useWallet();
  const [busy, setBusy] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const usable = wallets.filter(
    ({ readyState }) =>
      readyState === WalletReadyState.Installed || readyState === WalletReadyState.Loadable,
  );
  const connect = async (adapter: Adapter) => {
    setBusy(adapter.name);
    setFailure(null);
    try {
      await adapter.connect();
      onConnected(signerOf(adapter));
    } catch (error) {
      setFailure(connectFailure(adapter.name, error));
    } finally {
      setBusy(null);
    }
  };
  const loadMore = async () => {
    setBusy('more');
    const { makeMoreAdapters } = await import('./more-adapters');
    onMore(makeMoreAdapters());
    setBusy(null);
  };
  return (
    <div className="stack">
      {failure ? <Banner kind="error">{failure}</Banner> : null}
      {usable.length === 0 ? (
        <p>
          No wallet was found in this browser. Install one, such as Phantom or Solflare, and reload
          the page; or look at a payment without a wallet by pasting its signature.
        </p>
      ) : (
        <ul className={styles['list']}>
          {usable.map(({ adapter }) => (
            <li key={adapter.name}>
              <button
                type="button"
                className={styles['wallet']}
                disabled={busy !== null}
                onClick={() => void connect(adapter)}
              >
                {/* Icons of wallets are data: URLs. */}
                {/* eslint-disable-next-line @next/next/no-img-element */}
                <img src={adapter.icon} alt="" width={24} height={24} />
                {adapter.name}
                {busy === adapter.name ? (
                  <span className={styles['state']}>Waiting for the wallet…</span>
                ) : null}
              </button>
            </li>
          ))}
        </ul>
      )}
      {hasMore ? (
        <div>
          <Button size="small" variant="quiet" busy={busy === 'more'} onClick={loadMore}>
            Show more wallets
          </Button>
        </div>
      ) : null}
    </div>
  );
}

function connectFailure(name: string, error: unknown): string {
  if (isRejection(error))
    return `${name} was not connected, because the request was turned down. Nothing happened; try again when you like.`;
  const why = error instanceof Error && error.message ? ` It says: ${error.message}` : '';
  return `${name} could not be connected.${why} Unlock the wallet and try again.`;
}
