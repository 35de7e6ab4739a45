'use client';

import { useTranslations } from 'next-intl';
import dynamic from 'next/dynamic';
import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
} from 'react';
import { useSite } from '../site-context';
import { shorten } from '../ui/address';
import { Dialog } from '../ui/dialog';
import { Skeleton } from '../ui/skeleton';
import { useToast } from '../ui/toast';
import { rememberedWallet } from './remembered-wallet';
import type { Signer } from './signer';
import { WaitingBar } from './waiting-bar';
import { showNewest, type Waiting } from './wallet-wait';

type WalletState = {
  /** The connected wallet with the account it is on; null while none is connected. */
  signer: Signer | null;
  /** Opens the dialog that lists the wallets. */
  choose: () => void;
  disconnect: () => void;
};

const WalletContext = createContext<WalletState | null>(null);

/** The code of wallets is larger than all other code of a page, so it loads only when a wallet is wanted. */
const WalletBridge = dynamic(() => import('./wallet-bridge'), { ssr: false });

/**
 * Holds the one wallet of all pages. It loads the wallet adapters when the reader asks for a wallet, or when
 * one is remembered, and it follows the account that the wallet is on.
 */
export function WalletHost({ children }: { children: ReactNode }) {
  const { network } = useSite();
  const toast = useToast();
  const t = useTranslations('wallet');
  const [isWanted, setWanted] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  /** The adapters are loaded, so the list is in its slot. */
  const [isReady, setReady] = useState(false);
  const [signer, setSigner] = useState<Signer | null>(null);
  const [waiting, setWaiting] = useState<Waiting | null>(null);
  const onWaiting = useMemo(() => showNewest(setWaiting), []);
  const last = useRef<Signer | null>(null);

  useEffect(() => {
    const timer = setTimeout(() => {
      if (rememberedWallet() !== null) setWanted(true);
    });
    return () => clearTimeout(timer);
  }, []);

  const onSigner = useCallback(
    (next: Signer | null) => {
      const before = last.current;
      last.current = next;
      setReady(true);
      setSigner(next);
      if (next) setOpen(false);
      if (before && next && before.name === next.name && before.address !== next.address)
        toast(t('switched', { wallet: next.name, address: shorten(next.address) }));
    },
    [toast, t],
  );
  const state = useMemo(
    () => ({
      signer,
      choose: () => {
        setWanted(true);
        setOpen(true);
      },
      disconnect: () => void signer?.disconnect(),
    }),
    [signer],
  );
  return (
    <WalletContext value={state}>
      {children}
      <Dialog open={isOpen} title={t('dialog')} onClose={() => setOpen(false)}>
        {isReady ? null : <Skeleton lines={2} label={t('searching')} />}
        <div ref={setSlot} />
        <p className="muted small">{t('dialogNote')}</p>
      </Dialog>
      <WaitingBar waiting={waiting} />
      {isWanted ? (
        <WalletBridge {...{ network, slot, onSigner, onWaiting }} onOpen={setOpen} />
      ) : null}
    </WalletContext>
  );
}

/** The wallet of this browser, wherever on the site it was connected. */
export function useSigner(): WalletState {
  const state = useContext(WalletContext);
  if (!state) throw new Error('useSigner needs the WalletHost of the root layout around it.');
  return state;
}
