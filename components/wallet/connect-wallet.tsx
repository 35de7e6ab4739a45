'use client';

import { Address } from '../ui/address';
import { Button } from '../ui/button';
import { useSigner } from './wallet-host';

type ConnectProps = {
  /** What the button says while no wallet is connected. */
  label?: string;
  variant?: 'primary' | 'secondary';
};

/** A button that connects a wallet; afterwards, which one it is and a way to disconnect it. */
export function ConnectWallet({ label = 'Connect wallet', variant = 'secondary' }: ConnectProps) {
  const { signer, choose, disconnect } = useSigner();
  if (signer)
    return (
      <div className="row">
        <span className="row">
          {signer.name} <Address value={signer.address} label="Connected wallet" bare />
        </span>
        <Button size="small" variant="quiet" onClick={disconnect}>
          Disconnect
        </Button>
      </div>
    );
  return (
    <Button variant={variant} onClick={choose}>
      {label}
    </Button>
  );
}
