import { useConnection, useWallet } from '@solana/wallet-adapter-react';
import { useEffect, useEffectEvent } from 'react';
import { MOBILE, shownName } from './mobile-adapter';
import { forgetWallet, rememberedWallet, wantsRemembered } from './remembered-wallet';
import type { Signer } from './signer';
import { signerOf } from './signer-of';
import { mayOpenApp } from './wallet-apps';
import { waitForWallet, type ShowWaiting } from './wallet-wait';

type Reports = {
  onSigner: (signer: Signer | null) => void;
  onWaiting: ShowWaiting;
  /**
   * Loads the wallets that do not announce themselves, if the remembered wallet may be one of them.
   */
  onMissing: (() => Promise<void>) | null;
};

/** Reports the connected wallet and its account, each time that they change. */
export function useReportedSigner({ onSigner, onWaiting, onMissing }: Reports): void {
  const {
    wallets,
    wallet,
    connected,
    publicKey,
    disconnect,
    select,
    signMessage,
    signTransaction,
    signIn,
    sendTransaction,
  } = useWallet();
  const { connection } = useConnection();
  const address = connected ? (publicKey?.toBase58() ?? null) : null;
  const adapter = wallet?.adapter ?? null;
  // A wallet that fails to disconnect is dropped as well.
  const leave = useEffectEvent(() => disconnect().catch(() => select(null)));
  useEffect(() => {
    if (!adapter || address === null) {
      onSigner(null);
      return;
    }
    if (!wantsRemembered()) forgetWallet();
    const name = shownName(adapter.name);
    onSigner(
      signerOf({
        name,
        adapter,
        address,
        connection,
        wait: (ask) => {
          const needsPress = adapter.name === MOBILE && !mayOpenApp(navigator);
          return waitForWallet(ask, { wallet: name, onWaiting, needsPress });
        },
        signMessage,
        signTransaction,
        signIn,
        sendTransaction,
        disconnect: () => leave(),
      }),
    );
  }, [
    adapter,
    address,
    connection,
    onSigner,
    onWaiting,
    signMessage,
    signTransaction,
    signIn,
    sendTransaction,
  ]);
  const loadMissing = useEffectEvent(() => {
    const name = rememberedWallet();
    if (name !== null && !wallets.some(({ adapter: { name: known } }) => known === name))
      // The wallet counts as not installed without its code. The dialog offers to load it again.
      void onMissing?.().catch(() => undefined);
  });
  useEffect(() => loadMissing(), []);
}
