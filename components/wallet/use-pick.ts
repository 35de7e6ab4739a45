import type { WalletName } from '@solana/wallet-adapter-base';
import { useWallet } from '@solana/wallet-adapter-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { MOBILE } from './mobile-adapter';
import { isRejection } from './signer';
import type { ShowWaiting } from './wallet-wait';

export type ReportError = (error: unknown, wallet: string) => void;

export type Pick = {
  /** Name of the wallet that was asked to connect and has not answered. */
  waitingFor: string | null;
  /** Why the last one could not be connected. */
  failure: string | null;
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
  const [failure, setFailure] = useState<string | null>(null);
  if (picked !== null && connected) setPicked(null);
  // An older attempt that fails late can take the choice back without an error of its own.
  if (picked !== null && !connected && wallet === null) {
    setPicked(null);
    setFailure(`${picked} was not connected. Try again.`);
  }
  const give = (text: string) => {
    setPicked(null);
    setFailure(text);
    select(null);
    onOpen(true);
  };
  const stop = () =>
    give(`You stopped waiting for ${picked ?? 'the wallet'}. Nothing was connected.`);
  useEffect(() => {
    // The flows show errors of signing, so only connecting counts here.
    reportRef.current = (error, name) => {
      if (picked !== null) give(connectFailure(name, error));
    };
  });
  const giveUp = useEffectEvent(() =>
    give(`${picked ?? 'The wallet'} did not answer within two minutes. Unlock it and try again.`),
  );
  const stopFromBar = useEffectEvent(stop);
  useEffect(() => {
    if (picked === null) return;
    const timer = setTimeout(() => giveUp(), LIMIT_MS);
    // The mobile adapter has windows of its own, which an open dialog would cover. The bar stands in for it.
    const end =
      picked === MOBILE
        ? onWaiting({ wallet: 'the wallet app', stop: () => stopFromBar() })
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

function connectFailure(name: string, error: unknown): string {
  if (isRejection(error))
    return `You rejected the connection in ${name}. No money moved. You can try again at any time.`;
  const said = error instanceof Error ? error.message : '';
  if (/no installed wallet/i.test(said))
    return 'No wallet app that works with this browser was found. Install one, or open this page in a wallet app.';
  return `${name} could not be connected.${said ? ` It says: ${said}` : ''} Unlock the wallet and try again.`;
}
