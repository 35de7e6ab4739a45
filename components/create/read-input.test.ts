import { createTranslator } from 'next-intl';
import { expect, test } from 'vitest';
import create from '@/messages/en/create.json';
import { chosenSignature, readInput } from './read-input';

const t = createTranslator({ locale: 'en', messages: { create }, namespace: 'create.input' });
const TX =
  '5wHu1qwD7q5ifaN5nwdcDqNFo53GJqa7nLp2BeeEpcHCusb4GzARz4GjgzsEHMkBMgCJMGa6GSQ1VG96Exv8kt2W';
const WALLET = '7uS8Pq1Xw8JtKkmQ4wQ1p9Kz4bT3sJ2nVbXkV3pAqZrT';

test.each([
  TX,
  ` ${TX}\n`,
  `"${TX}"`,
  `‘${TX}’,`,
  `<${TX}>`,
  `https://solscan.io/tx/${TX}`,
  `https://explorer.solana.com/tx/${TX}?cluster=devnet`,
  `https://solana.fm/tx/${TX}#raw`,
  `"https://xray.helius.xyz/tx/${TX}"`,
  `solscan.io/tx/${TX}`,
  `https://quittance.example/?tx=${TX}`,
  `http://localhost:3000/?tx=${TX}&for=Coffee`,
])('takes the signature out of %s', (text) => {
  expect(readInput(text)).toEqual({ kind: 'signature', value: TX });
});

test.each([
  WALLET,
  `"${WALLET}"`,
  `https://solscan.io/account/${WALLET}`,
  `https://explorer.solana.com/address/${WALLET}?cluster=devnet`,
  `https://solana.fm/address/${WALLET}/transactions`,
])('takes the wallet out of %s', (text) => {
  expect(readInput(text)).toEqual({ kind: 'wallet', value: WALLET });
});

test.each(['alice.sol', ' "Alice.sol" ', 'ALICE.SOL', 'a-b_0.sns'])(
  'reads %s as a name',
  (text) => {
    const value = text.trim().replaceAll('"', '').toLowerCase();
    expect(readInput(text)).toEqual({ kind: 'name', value });
  },
);

test('a link to a receipt or a statement opens that page', () => {
  expect(readInput('https://quittance.example/r/8K3M0Q9TZX1A')).toEqual({
    kind: 'page',
    path: '/r/8K3M0Q9TZX1A',
    page: 'receipt',
    id: '8K3M0Q9TZX1A',
  });
  expect(readInput('quittance.example/s/STMT8K3M0Q9T?print')).toMatchObject({
    path: '/s/STMT8K3M0Q9T',
  });
});

test.each([
  [`https://solscan.io/token/${WALLET}`, 'This link leads to a token.'],
  ['https://explorer.solana.com/block/123456', 'This link leads to a block.'],
  ['https://example.com/pricing', 'names no transaction and no wallet'],
  ['a.b.sol', 'Only names of the letters a to z'],
  ['alice.sol.sol', 'Only names of the letters a to z'],
  // A Cyrillic a, a zero width space in two places, and the Kelvin sign.
  ['\u0430lice.sol', 'Only names of the letters a to z'],
  ['ali\u200bce.sol', 'Only names of the letters a to z'],
  ['alice.sol\u200b', 'Only names of the letters a to z'],
  ['\u212aim.sns', 'Only names of the letters a to z'],
  ['0x52908400098527886E0F7030069857D2E4169EE7', 'Ethereum'],
  [TX.slice(0, 60), 'this has 60'],
  ['hello there', 'neither a transaction signature'],
])('gives %s an answer of its own', (text, words) => {
  const read = readInput(text);
  expect(read.kind === 'other' ? t(read.why, { ...read.values }) : read.kind).toContain(words);
});

test('an empty field is no mistake, and only a whole signature is taken from a page address', () => {
  expect(readInput('  ')).toEqual({ kind: 'empty' });
  expect(chosenSignature(TX)).toBe(TX);
  for (const tx of [null, '', WALLET, `${TX}!`, `${TX}${TX}`, '<script>'])
    expect(chosenSignature(tx)).toBeNull();
});
