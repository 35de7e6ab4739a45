import { useConnection, useWallet } from '@solana/wallet-adapter-react';
import { useEffect, useRef } from 'react';
import { forgetWallet, wantsRemembered } from './remembered-wallet';
import type { Signer } from './signer';
import { signerOf } from './signer-of';
import { waitForWallet, type Waiting } from './wallet-wait';

type Reports = {
  onSigner: (signer: Signer | null) => void;
  onWaiting: (waiting: Waiting | null) => void;
  /** Loads the wallets that do not announce themselves, where the remembered one is none that does. */
  onMissing: (() => Promise<void>) | null;
  remembered: () => string | null;
};

/** Reports which wallet is connected and on which account, each time that changes. */
export function useReportedSigner(o: Reports): void {
  const { wallets, wallet, connected, publicKey, disconnect, select } = useWallet();
  const { signMessage, signTransaction, signIn, sendTransaction } = useWallet();
  const { connection } = useConnection();
  const address = connected ? (publicKey?.toBase58() ?? null) : null;
  const adapter = wallet?.adapter ?? null;
  const { onSigner, onWaiting } = o;
  const leave = useRef(async () => {});
  useEffect(() => {
    // A wallet that fails to disconnect is dropped all the same.
    leave.current = () => disconnect().catch(() => select(null));
  });
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
        disconnect: () => leave.current(),
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
  const first = useRef({ names: wallets.map((one) => String(one.adapter.name)), ...o });
  useEffect(() => {
    const { names, onMissing, remembered } = first.current;
    const name = remembered();
    if (name !== null && !names.includes(name)) void onMissing?.();
  }, []);
}
