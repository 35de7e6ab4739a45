import { useConnection, useWallet } from '@solana/wallet-adapter-react';
import { useEffect, useEffectEvent } from 'react';
import { forgetWallet, rememberedWallet, wantsRemembered } from './remembered-wallet';
import type { Signer } from './signer';
import { signerOf } from './signer-of';
import { waitForWallet, type ShowWaiting } from './wallet-wait';

type Reports = {
  onSigner: (signer: Signer | null) => void;
  onWaiting: ShowWaiting;
  /** Loads the wallets that do not announce themselves, where the remembered one is none that does. */
  onMissing: (() => Promise<void>) | null;
};

/** Reports which wallet is connected and on which account, each time that changes. */
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
  // A wallet that fails to disconnect is dropped all the same.
  const leave = useEffectEvent(() => disconnect().catch(() => select(null)));
  useEffect(() => {
    if (!adapter || address === null) {
      onSigner(null);
      return;
    }
    if (!wantsRemembered()) forgetWallet();
    onSigner(
      signerOf({
        adapter,
        address,
        connection,
        wait: (ask) => waitForWallet(ask, { wallet: adapter.name, onWaiting }),
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
      void onMissing?.();
  });
  useEffect(() => loadMissing(), []);
}
