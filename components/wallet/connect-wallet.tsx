'use client';

import { useTranslations } from 'next-intl';
import { Address } from '../ui/address';
import { Button } from '../ui/button';
import { WALLET_APP } from './signer';
import { useSigner } from './wallet-host';

type ConnectProps = {
  /** The label of the button before a wallet is connected. */
  label?: string;
  variant?: 'primary' | 'secondary';
};

/** A button that connects a wallet. Afterwards it shows the wallet and a way to disconnect it. */
export function ConnectWallet({ label, variant = 'secondary' }: ConnectProps) {
  const { signer, choose, disconnect } = useSigner();
  const t = useTranslations('wallet');
  if (signer)
    return (
      <div className="row">
        <span className="row">
          {signer.name === WALLET_APP ? t('app') : signer.name}{' '}
          <Address value={signer.address} label={t('connected')} bare />
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
