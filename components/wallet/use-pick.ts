import type { WalletName } from '@solana/wallet-adapter-base';
import { useWallet } from '@solana/wallet-adapter-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { connectFailure, type PickFailure } from './connect-failure';
import { MOBILE, shownName } from './mobile-adapter';
import type { ShowWaiting } from './wallet-wait';

export type ReportError = (error: unknown, wallet: string | null) => void;

export type Pick = {
  /** Name of the wallet that was asked to connect and has not answered. */
  waitingFor: string | null;
  /** Why the last wallet could not be connected. */
  failure: PickFailure | null;
  choose: (name: WalletName) => void;
  stop: () => void;
};

type PickOptions = {
  /** Receives the handler of the errors that adapters report. */
  reportRef: { current: ReportError };
  /** Opens or closes the dialog with the list. */
  onOpen: (isOpen: boolean) => void;
  onWaiting: ShowWaiting;
};

/** How long a wallet may take to connect, in ms. */
const LIMIT_MS = 120_000;

/**
 * Connects the wallet that the reader picks. Every wait ends: by the wallet, by the reader or by a
 * timeout.
 */
export function usePick({ reportRef, onOpen, onWaiting }: PickOptions): Pick {
  const { wallets, wallet, connected, select, connect } = useWallet();
  const [picked, setPicked] = useState<string | null>(null);
  const [failure, setFailure] = useState<PickFailure | null>(null);
  if (picked !== null && connected) setPicked(null);
  // A late failure of an older attempt can undo the choice without reporting an error.
  if (picked !== null && !connected && wallet === null) {
    setPicked(null);
    setFailure({ why: 'lost', wallet: shownName(picked) });
  }
  const give = (why: PickFailure) => {
    setPicked(null);
    setFailure(why);
    select(null);
    onOpen(true);
  };
  const stop = () => {
    if (picked !== null) give({ why: 'stopped', wallet: shownName(picked) });
  };
  useEffect(() => {
    // The flows show errors of signing, so only connecting counts here.
    reportRef.current = (error, name) => {
      if (picked !== null) give(connectFailure(shownName(name ?? picked), error));
    };
  });
  const giveUp = useEffectEvent(() => {
    if (picked !== null) give({ why: 'silent', wallet: shownName(picked) });
  });
  const stopFromBar = useEffectEvent(stop);
  useEffect(() => {
    if (picked === null) return;
    const timer = setTimeout(() => giveUp(), LIMIT_MS);
    // The mobile adapter opens its own windows, which an open dialog would cover. The bar replaces
    // it.
    const end =
      picked === MOBILE
        ? onWaiting({ wallet: shownName(picked), stop: () => stopFromBar(), open: null })
        : undefined;
    return () => {
      clearTimeout(timer);
      end?.();
    };
  }, [picked, onWaiting]);
  return {
    waitingFor: picked,
    failure,
    choose: (name) => {
      const start = () => {
        setFailure(null);
        setPicked(name);
        if (name === MOBILE) onOpen(false);
        if (wallet?.adapter.name !== name) select(name);
        // A wallet that is already chosen connects only on request. Its error comes through
        // `reportRef`.
        else void connect().catch(() => undefined);
      };
      // A "yes" after the timeout connected the adapter unnoticed. It would not report that again.
      const known = wallets.find(({ adapter }) => adapter.name === name)?.adapter;
      if (wallet === null && known?.connected) void known.disconnect().then(start, start);
      else start();
    },
    stop,
  };
}
