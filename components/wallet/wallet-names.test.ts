import { expect, test } from 'vitest';
import { createTranslator } from 'next-intl';
import { LANGUAGES, type Language } from '@/i18n/locales';
import de from '@/messages/de/wallet.json';
import en from '@/messages/en/wallet.json';
import es from '@/messages/es/wallet.json';
import ja from '@/messages/ja/wallet.json';
import { MOBILE, shownName } from './mobile-adapter';
import { WALLET_APP } from './signer';

const TEXTS: Record<Language, typeof en> = { de, en, es, ja };
const KEYS = [
  ...(['waiting', 'waitingConnect', 'switched', 'disconnected'] as const),
  ...(['pick.lost', 'pick.stopped', 'pick.silent', 'pick.rejected'] as const),
  ...(['pick.failed', 'pick.said', 'refusal.stopped', 'refusal.timedOut'] as const),
  ...(['refusal.rejected', 'refusal.otherAccount'] as const),
];

test('the protocol of wallet apps is never shown as the name of a wallet', () => {
  expect(shownName(MOBILE)).toBe(WALLET_APP);
  expect(shownName('Phantom')).toBe('Phantom');
});

test.each(LANGUAGES)('texts in %s have words of their own for a wallet app', (language) => {
  for (const key of KEYS) {
    const say = (wallet: string) => read(language, key, wallet);
    expect([key, say('Phantom')]).toEqual([key, expect.stringContaining('Phantom')]);
    expect(say(WALLET_APP)).not.toBe(say('Phantom').replace('Phantom', WALLET_APP));
  }
});

function read(locale: Language, key: (typeof KEYS)[number], wallet: string): string {
  const messages = { wallet: TEXTS[locale] };
  const t = createTranslator({ locale, messages, namespace: 'wallet' });
  return t(key, { wallet, said: '', address: '' });
}
