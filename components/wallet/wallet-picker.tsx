'use client';

import { WalletReadyState } from '@solana/wallet-adapter-base';
import { useWallet, type Wallet } from '@solana/wallet-adapter-react';
import { useTranslations } from 'next-intl';
import { useSearchParams } from 'next/navigation';
import { useState } from 'react';
import type { Translate } from '@/i18n/translate';
import { Button, ButtonLink } from '../ui/button';
import { FocusedBanner } from '../ui/focused-banner';
import type { PickFailure } from './connect-failure';
import { MOBILE, shownName } from './mobile-adapter';
import { chooseRemembered, wantsRemembered } from './remembered-wallet';
import type { Pick } from './use-pick';
import { isTouchDevice, walletAppLinks } from './wallet-apps';
import styles from './wallet-picker.module.css';

type PickerProps = {
  pick: Pick;
  /** Loads the wallets that do not announce themselves. Null when they are loaded. */
  onMore: (() => Promise<void>) | null;
};

/** The wallets that this browser offers, wallet apps first on a phone. A press connects one. */
export function WalletPicker({ pick, onMore }: PickerProps) {
  const { wallets } = useWallet();
  const t = useTranslations('wallet');
  // Draws the links again when labels reach the address, a moment after they were typed.
  useSearchParams();
  const more = useMore(onMore);
  const usable = wallets.filter(
    ({ readyState }) =>
      readyState === WalletReadyState.Installed || readyState === WalletReadyState.Loadable,
  );
  const isInstalled = usable.some(({ readyState }) => readyState === WalletReadyState.Installed);
  const apps = isTouchDevice(window) && !isInstalled ? walletAppLinks(window.location.href) : [];
  return (
    <div className="stack">
      {pick.failure ? (
        <FocusedBanner about={pick.failure} kind="warning" title={t('notConnected')}>
          {pickWords(t, pick.failure)}
        </FocusedBanner>
      ) : null}
      {apps.length > 0 ? (
        <div className="stack">
          <ul className={styles['list']} aria-label={t('apps')}>
            {apps.map(({ name, href }) => (
              <li key={name}>
                <ButtonLink href={href} wide rel="noopener">
                  {t('open', { name })}
                </ButtonLink>
              </li>
            ))}
          </ul>
          <p className="muted small">{t('appsNote')}</p>
        </div>
      ) : null}
      <WalletList wallets={usable} pick={pick} isPhone={apps.length > 0} />
      <p role="status" className={styles['wait']}>
        {pick.waitingFor ? (
          <>
            <span>{t('waitingConnect', { wallet: shownName(pick.waitingFor) })}</span>
            <Button size="small" onClick={pick.stop}>
              {t('stop')}
            </Button>
          </>
        ) : null}
      </p>
      <RememberChoice />
      {more.failure ? (
        <FocusedBanner about={more.failure} kind="error" title={t('moreFailed')}>
          {t('moreFailedText')}
        </FocusedBanner>
      ) : null}
      <div role="status">
        {more.countBefore !== null && usable.length <= more.countBefore ? t('noMore') : null}
      </div>
      {onMore ? (
        <div>
          <Button
            size="small"
            variant="quiet"
            busy={more.isLoading}
            onClick={() => more.load(usable.length)}
          >
            {t('more')}
          </Button>
        </div>
      ) : null}
    </div>
  );
}

/** Loads further wallets. `countBefore` is the number of wallets before that, and null until it is done. */
function useMore(onMore: PickerProps['onMore']) {
  const [isLoading, setLoading] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const [countBefore, setCountBefore] = useState<number | null>(null);
  const load = (count: number) => {
    setLoading(true);
    setFailure(null);
    onMore?.()
      .then(() => setCountBefore(count), setFailure)
      .finally(() => setLoading(false));
  };
  return { isLoading, failure, countBefore, load };
}

function pickWords(t: Translate<'wallet'>, o: PickFailure): string {
  return t(`pick.${o.why}`, { wallet: o.wallet, said: o.said ?? '' });
}

function WalletList(o: { wallets: readonly Wallet[]; pick: Pick; isPhone: boolean }) {
  const t = useTranslations('wallet');
  if (o.wallets.length === 0) return o.isPhone ? null : <p>{t('none')}</p>;
  return (
    <ul className={styles['list']} aria-label={t('list')} data-focus-home tabIndex={-1}>
      {o.wallets.map(({ adapter: { name, icon } }) => (
        <li key={name}>
          <button
            type="button"
            className={styles['wallet']}
            aria-disabled={o.pick.waitingFor === null ? undefined : true}
            onClick={() => {
              if (o.pick.waitingFor === null) o.pick.choose(name);
            }}
          >
            {/* Icons of wallets are data: URLs. */}
            {/* eslint-disable-next-line @next/next/no-img-element */}
            <img src={icon} alt="" width={24} height={24} />
            {name === MOBILE ? t('phone') : name}
            {o.pick.waitingFor === name ? (
              <span className={styles['state']}>{t('waitingShort')}</span>
            ) : null}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Whether the wallet is connected again on the next visit. */
function RememberChoice() {
  const t = useTranslations('wallet');
  const [isWanted, setWanted] = useState(wantsRemembered);
  return (
    <label className={styles['remember']}>
      <input
        type="checkbox"
        checked={isWanted}
        onChange={({ target }) => {
          setWanted(target.checked);
          chooseRemembered(target.checked);
        }}
      />
      {t('remember')}
    </label>
  );
}
