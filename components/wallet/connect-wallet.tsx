'use client';

import dynamic from 'next/dynamic';
import { useState } from 'react';
import { Address } from '../ui/address';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { Skeleton } from '../ui/skeleton';
import type { Signer } from './signer';

/** The code of wallets is larger than all other code of a page, so it comes when it is asked for. */
const WalletPicker = dynamic(() => import('./wallet-picker'), {
  ssr: false,
  loading: () => <Skeleton lines={2} label="Looking for wallets" />,
});

type ConnectProps = {
  signer: Signer | null;
  onSigner: (signer: Signer | null) => void;
  /** What the button says while no wallet is connected. */
  label?: string;
  variant?: 'primary' | 'secondary';
};

/** A button that connects a wallet; afterwards, which one it is and a way to leave it. */
export function ConnectWallet({
  signer,
  onSigner,
  label = 'Connect wallet',
  variant = 'secondary',
}: ConnectProps) {
  const [open, setOpen] = useState(false);
  if (signer)
    return (
      <div className="row">
        <span className="row">
          {signer.name} <Address value={signer.address} label="Connected wallet" bare />
        </span>
        <Button
          size="small"
          variant="quiet"
          onClick={() => {
            // A wallet that fails to let go is let go of all the same.
            signer.disconnect().catch(() => undefined);
            onSigner(null);
          }}
        >
          Disconnect
        </Button>
      </div>
    );
  return (
    <>
      <Button variant={variant} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Dialog open={open} title="Connect a wallet" onClose={() => setOpen(false)}>
        <WalletPicker
          onConnected={(connected) => {
            setOpen(false);
            onSigner(connected);
          }}
        />
        <p className="muted small">
          Connecting shows us your address. It moves no money, and you approve each later step in
          the wallet.
        </p>
      </Dialog>
    </>
  );
}
