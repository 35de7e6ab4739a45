'use client';

import { useTranslations } from 'next-intl';
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
import { useAnnounce } from '../ui/announcer';
import { Dialog } from '../ui/dialog';
import { FocusedBanner } from '../ui/focused-banner';
import { Button } from '../ui/button';
import { Skeleton } from '../ui/skeleton';
import { useToast } from '../ui/toast';
import { rememberedWallet } from './remembered-wallet';
import { WALLET_APP, type Signer } from './signer';
import { useWalletBridge } from './use-wallet-bridge';
import { WaitingBar } from './waiting-bar';
import { showNewest, type Waiting } from './wallet-wait';

type WalletState = {
  /** The connected wallet with its current account. Null when none is connected. */
  signer: Signer | null;
  /** Opens the dialog that lists the wallets. */
  choose: () => void;
  disconnect: () => void;
};

const WalletContext = createContext<WalletState | null>(null);

/**
 * Holds the one wallet of all pages. It loads the wallet adapters when the reader asks for a
 * wallet, or when one is remembered. It follows the account of the wallet.
 */
export function WalletHost({ children }: { children: ReactNode }) {
  const { network } = useSite();
  const toast = useToast();
  const announce = useAnnounce();
  const t = useTranslations('wallet');
  const ui = useTranslations('ui');
  const { Bridge, failure, load } = useWalletBridge();
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
      if (rememberedWallet() !== null) load();
    });
    return () => clearTimeout(timer);
  }, [load]);

  const onSigner = useCallback(
    (next: Signer | null) => {
      const before = last.current;
      last.current = next;
      setReady(true);
      setSigner(next);
      if (next) setOpen(false);
      if (next && !before) {
        const name = next.name === WALLET_APP ? t('app') : next.name;
        announce(`${t('connected')}: ${name} ${shorten(next.address)}`);
      }
      if (before && !next) toast(t('disconnected', { wallet: before.name }));
      if (before && next && before.name === next.name && before.address !== next.address)
        toast(t('switched', { wallet: next.name, address: shorten(next.address) }));
    },
    [toast, announce, t],
  );
  const state = useMemo(
    () => ({
      signer,
      choose: () => {
        load();
        setOpen(true);
      },
      disconnect: () => void signer?.disconnect(),
    }),
    [signer, load],
  );
  return (
    <WalletContext value={state}>
      {children}
      <Dialog open={isOpen} title={t('dialog')} onClose={() => setOpen(false)}>
        {failure ? (
          <FocusedBanner
            about={failure}
            kind="error"
            title={t('notConnected')}
            actions={
              <Button size="small" onClick={load}>
                {ui('again')}
              </Button>
            }
          >
            {t('notLoaded')}
          </FocusedBanner>
        ) : null}
        {isReady || failure ? null : <Skeleton lines={2} label={t('searching')} />}
        <div ref={setSlot} />
        <p className="muted small">{t('dialogNote')}</p>
      </Dialog>
      <WaitingBar waiting={waiting} />
      {Bridge ? <Bridge {...{ network, slot, onSigner, onWaiting }} onOpen={setOpen} /> : null}
    </WalletContext>
  );
}

/** The wallet of this browser, connected on any page of the site. */
export function useSigner(): WalletState {
  const state = useContext(WalletContext);
  if (!state) throw new Error('useSigner needs the WalletHost of the root layout around it.');
  return state;
}
