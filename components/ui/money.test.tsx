import { NextIntlClientProvider } from 'next-intl';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { requireCountry, SUPPORTED_COUNTRIES } from '@/server/rates/countries';
import { Money, moneyText, roundMoney } from './money';

/** Replaces special spaces, because versions of the locale data use different ones. */
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ');

it.each([
  ['en', 'USD', '1234.5', '$1,234.50'],
  ['de', 'USD', '1234.5', '1.234,50 $'],
  ['de', 'EUR', '0.5', '0,50 €'],
  ['de-CH', 'CHF', '1234.5', 'CHF 1’234.50'],
  ['es', 'EUR', '1234.5', '1.234,50 €'],
  ['ja', 'JPY', '1234.5', '￥1,235'],
  ['en', 'JPY', '-1234', '-¥1,234'],
  // More digits than a float holds.
  ['en', 'USD', '9007199254740993.01', '$9,007,199,254,740,993.01'],
])('in %s %s of %s is %s', (locale, currency, value, text) => {
  expect(plain(moneyText(value, currency, locale))).toBe(text);
});

it.each(SUPPORTED_COUNTRIES)('the currency of %s has the decimals of the service', (code) => {
  const { currency, minorUnits } = requireCountry(code);
  const digits = moneyText('1234.56', currency, 'en').replaceAll(/[^\d.,]/g, '');
  expect(digits).toBe(minorUnits === 0 ? '1,235' : '1,234.56');
});

it.each([
  ['262.847908', 2, '262.85'],
  ['0.994', 2, '0.99'],
  ['0.995', 2, '1.00'],
  ['999.999', 2, '1000.00'],
  ['7', 2, '7.00'],
  ['0', 2, '0.00'],
  ['0.0004', 2, '0.0004'],
  ['12.5', 0, '13'],
  ['none', 2, 'none'],
])('%s to %d places is %s', (value, places, rounded) => {
  expect(roundMoney(value, places)).toBe(rounded);
});

const render = (value: string, bare = false) =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale="en" timeZone="UTC" messages={{}}>
      <Money value={value} currency="USD" bare={bare} />
    </NextIntlClientProvider>,
  );

it('has the exact value behind a rounded one', () => {
  expect(render('262.847908')).toBe(
    '<data class="numbers" value="262.847908 USD" title="262.847908 USD">$262.85</data>',
  );
  expect(render('262.8', true)).toBe('<data class="numbers" value="262.8 USD">262.80</data>');
});
