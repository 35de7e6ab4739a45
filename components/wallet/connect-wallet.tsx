'use client';

import { useTranslations } from 'next-intl';
import { Address } from '../ui/address';
import { Button } from '../ui/button';
import { useSigner } from './wallet-host';

type ConnectProps = {
  /** What the button says while no wallet is connected. */
  label?: string;
  variant?: 'primary' | 'secondary';
};

/** A button that connects a wallet; afterwards, which one it is and a way to disconnect it. */
export function ConnectWallet({ label, variant = 'secondary' }: ConnectProps) {
  const { signer, choose, disconnect } = useSigner();
  const t = useTranslations('wallet');
  if (signer)
    return (
      <div className="row">
        <span className="row">
          {signer.name} <Address value={signer.address} label={t('connected')} bare />
        </span>
        <Button size="small" variant="quiet" onClick={disconnect}>
          {t('disconnect')}
        </Button>
      </div>
    );
  return (
    <Button variant={variant} onClick={choose}>
      {label ?? t('connect')}
    </Button>
  );
}
