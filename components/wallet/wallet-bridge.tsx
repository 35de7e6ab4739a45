'use client';

import type { Adapter } from '@solana/wallet-adapter-base';
import { ConnectionProvider, WalletProvider } from '@solana/wallet-adapter-react';
import { useCallback, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { PUBLIC_NODES } from '../public-nodes';
import { makeMobileAdapter } from './mobile-adapter';
import { WALLET_KEY } from './remembered-wallet';
import type { Signer } from './signer';
import { useLockedWallet } from './use-locked-wallet';
import { useReportedSigner } from './use-reported-signer';
import { usePick, type ReportError } from './use-pick';
import { WalletPicker } from './wallet-picker';
import type { ShowWaiting } from './wallet-wait';

type BridgeProps = {
  network: 'local' | 'devnet' | 'mainnet';
  /** The place of the list of wallets. Null when the dialog is closed. */
  slot: HTMLElement | null;
  onSigner: (signer: Signer | null) => void;
  onWaiting: ShowWaiting;
  /** Opens or closes the dialog that holds the list. */
  onOpen: (isOpen: boolean) => void;
};

/**
 * One object for all renders. A new one would make a new connection, and so a new signer, each
 * time.
 */
const CONNECTION = { commitment: 'confirmed' } as const;

/** The wallet adapters, which connect, sign and follow the account, and the list to choose from. */
export default function WalletBridge({ network, ...o }: BridgeProps) {
  const [adapters, setAdapters] = useState<Adapter[]>(() => [makeMobileAdapter(network)]);
  const report = useRef<ReportError>(() => undefined);
  const loadMore = useCallback(async () => {
    const { makeMoreAdapters } = await import('./more-adapters');
    setAdapters((before) => [...before.slice(0, 1), ...makeMoreAdapters()]);
  }, []);
  // Adapters derive the network from its endpoint. Pages send no request to it: their policy
  // forbids it, and a wallet that sends a payment uses its own node.
  return (
    <ConnectionProvider endpoint={PUBLIC_NODES[network]} config={CONNECTION}>
      <WalletProvider
        wallets={adapters}
        autoConnect
        localStorageKey={WALLET_KEY}
        onError={(error, adapter) => report.current(error, adapter?.name ?? null)}
      >
        <Inside {...o} reportRef={report} onMore={adapters.length === 1 ? loadMore : null} />
      </WalletProvider>
    </ConnectionProvider>
  );
}

function Inside(
  o: Omit<BridgeProps, 'network'> & {
    onMore: (() => Promise<void>) | null;
    /** Adapters report every error to their provider, which passes it on here. */
    reportRef: { current: ReportError };
  },
) {
  useReportedSigner({ ...o, onMissing: o.onMore });
  useLockedWallet();
  const pick = usePick(o);
  return o.slot ? createPortal(<WalletPicker pick={pick} onMore={o.onMore} />, o.slot) : null;
}
