import type { WalletName } from '@solana/wallet-adapter-base';
import { useWallet } from '@solana/wallet-adapter-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { MOBILE } from './mobile-adapter';
import type { Messages } from '@/i18n/messages';
import { isRejection } from './signer';
import type { ShowWaiting } from './wallet-wait';

export type ReportError = (error: unknown, wallet: string | null) => void;

/** Why a wallet was not connected, as a text of `wallet.pick` with its values. */
export type PickFailure = {
  why: keyof Messages['wallet']['pick'];
  wallet: string;
  /** The wallet's own words. */
  said?: string;
};

export type Pick = {
  /** Name of the wallet that was asked to connect and has not answered. */
  waitingFor: string | null;
  /** Why the last one could not be connected. */
  failure: PickFailure | null;
  choose: (name: WalletName) => void;
  stop: () => void;
};

type PickOptions = {
  /** Gets the handler of the errors that adapters report. */
  reportRef: { current: ReportError };
  /** Opens or closes the dialog with the list. */
  onOpen: (isOpen: boolean) => void;
  onWaiting: ShowWaiting;
};

/** How long a wallet may take to connect, in ms. */
const LIMIT_MS = 120_000;

/** Connects the wallet that the reader picks. Every wait ends: by the wallet, by the reader or by the clock. */
export function usePick({ reportRef, onOpen, onWaiting }: PickOptions): Pick {
  const { wallets, wallet, connected, select, connect } = useWallet();
  const [picked, setPicked] = useState<string | null>(null);
  const [failure, setFailure] = useState<PickFailure | null>(null);
  if (picked !== null && connected) setPicked(null);
  // An older attempt that fails late can take the choice back without an error of its own.
  if (picked !== null && !connected && wallet === null) {
    setPicked(null);
    setFailure({ why: 'lost', wallet: picked });
  }
  const give = (why: PickFailure) => {
    setPicked(null);
    setFailure(why);
    select(null);
    onOpen(true);
  };
  const stop = () => {
    if (picked !== null) give({ why: 'stopped', wallet: picked });
  };
  useEffect(() => {
    // The flows show errors of signing, so only connecting counts here.
    reportRef.current = (error, name) => {
      if (picked !== null) give(connectFailure(name ?? picked, error));
    };
  });
  const giveUp = useEffectEvent(() => {
    if (picked !== null) give({ why: 'silent', wallet: picked });
  });
  const stopFromBar = useEffectEvent(stop);
  useEffect(() => {
    if (picked === null) return;
    const timer = setTimeout(() => giveUp(), LIMIT_MS);
    // The mobile adapter has windows of its own, which an open dialog would cover. The bar stands in for it.
    const end =
      picked === MOBILE ? onWaiting({ wallet: null, stop: () => stopFromBar() }) : undefined;
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
        // A wallet that is chosen already connects only when it is asked. Its error comes through `reportRef`.
        else void connect().catch(() => undefined);
      };
      // A "yes" after we stopped waiting connected the adapter unheard. It would not report that again.
      const known = wallets.find(({ adapter }) => adapter.name === name)?.adapter;
      if (wallet === null && known?.connected) void known.disconnect().then(start, start);
      else start();
    },
    stop,
  };
}

function connectFailure(wallet: string, error: unknown): PickFailure {
  if (isRejection(error)) return { why: 'rejected', wallet };
  const said = error instanceof Error ? error.message : '';
  if (/no installed wallet/i.test(said)) return { why: 'noApp', wallet };
  return said === '' ? { why: 'failed', wallet } : { why: 'said', wallet, said };
}
