import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { createTranslator } from 'next-intl';
import { expect, test } from 'vitest';
import create from '@/messages/en/create.json';
import { chosenSignature, readInput, withoutMarks, type Input } from './read-input';

const t = createTranslator({ locale: 'en', messages: { create }, namespace: 'create.input' });
const TX =
  '5wHu1qwD7q5ifaN5nwdcDqNFo53GJqa7nLp2BeeEpcHCusb4GzARz4GjgzsEHMkBMgCJMGa6GSQ1VG96Exv8kt2W';
const OTHER_TX = `3${TX.slice(1)}`;
const WALLET = '7uS8Pq1Xw8JtKkmQ4wQ1p9Kz4bT3sJ2nVbXkV3pAqZrT';
const OWN = ['quittance.example', 'localhost:3000'];

const read = (text: string): Input => readInput(text, OWN);

test.each([
  TX,
  ` ${TX}\n`,
  `"${TX}"`,
  `‘${TX}’,`,
  `<${TX}>`,
  `„${TX}“`,
  `‚${TX}‘`,
  `«${TX}»`,
  `‹${TX}›`,
  `» ${TX} «`,
  `「${TX}」`,
  `『${TX}』`,
  // A zero width space, a byte order mark, marks of direction, and a soft hyphen inside.
  `\u200b${TX}`,
  `\ufeff${TX}\u200e`,
  `\u2068${TX}\u2069`,
  `${TX.slice(0, 40)}\u00ad${TX.slice(40)}`,
  `${TX.slice(0, 40)}\u200b${TX.slice(40)}`,
  `Tx: ${TX}`,
  `Transaction signature = ${TX}.`,
  `署名：${TX}`,
  `*${TX}*`,
  `**${TX}**`,
  `_${TX}_`,
  `\`${TX}\``,
  `> ${TX}`,
  `- ${TX}`,
  `| ${TX} |`,
  `[${TX}](https://solscan.io/tx/${TX})`,
  `Paid: https://solscan.io/tx/${TX} (thanks)`,
  `https://solscan.io/tx/${TX}`,
  `https://explorer.solana.com/tx/${TX}?cluster=devnet`,
  `https://solana.fm/tx/${TX}#raw`,
  `https://solana.fm/#/tx/${TX}`,
  `https://solana.fm/#/tx/${TX}?cluster=devnet-qn1`,
  `"https://xray.helius.xyz/tx/${TX}"`,
  `solscan.io/tx/${TX}`,
  `https://quittance.example/?tx=${TX}`,
  `quittance.example?tx=${TX}`,
  `/?tx=${TX}`,
  `https://quittance.example/verify/${TX}`,
  `http://localhost:3000/?tx=${TX}&for=Coffee`,
])('finds the signature in %s', (text) => {
  expect(read(text)).toEqual({ kind: 'signature', value: TX });
});

test.each([
  WALLET,
  `"${WALLET}"`,
  `„${WALLET}“`,
  `Wallet: ${WALLET}`,
  `\u200b${WALLET}`,
  `https://solscan.io/account/${WALLET}`,
  `https://explorer.solana.com/address/${WALLET}?cluster=devnet`,
  `https://explorer.solana.com/address/${WALLET}/tokens`,
  `https://explorer.solana.com/address/${WALLET}/tokens/`,
  `https://solana.fm/address/${WALLET}/transactions`,
  `https://solana.fm/#/address/${WALLET}`,
  `https://quittance.example/?of=${WALLET}`,
  `https://quittance.example/wallet/${WALLET}/transactions`,
])('finds the wallet in %s', (text) => {
  expect(read(text)).toEqual({ kind: 'wallet', value: WALLET });
});

test.each(['alice.sol', ' "Alice.sol" ', '„alice.sol“', '*alice.sol*', 'ALICE.SOL', 'a-b_0.sns'])(
  'reads %s as a name',
  (text) => {
    const value = text
      .trim()
      .replaceAll(/["„“*]/g, '')
      .toLowerCase();
    expect(read(text)).toEqual({ kind: 'name', value });
  },
);

test('marks that may belong to a name are not taken off it', () => {
  expect(read('_alice_.sol')).toEqual({ kind: 'name', value: '_alice_.sol' });
  expect(read('-alice.sol')).toEqual({ kind: 'name', value: '-alice.sol' });
});

test.each([
  'https://quittance.example/r/8K3M0Q9TZX1A',
  'https://quittance.example/r/8K3M0Q9TZX1A/card.png',
  'https://quittance.example/receipt/8K3M0Q9TZX1A',
  'https://quittance.example/receipt/8K3M0Q9TZX1A/image.png',
  'https://quittance.example/mint/status/8K3M0Q9TZX1A',
  'localhost:3000/r/8K3M0Q9TZX1A?x=1#check',
  '/r/8K3M0Q9TZX1A',
  '8K3M0Q9TZX1A',
  '„8K3M0Q9TZX1A“',
  'Receipt 8K3M0Q9TZX1A',
  'Beleg: 8K3M0Q9TZX1A',
])('opens the receipt of %s', (text) => {
  const page = { kind: 'page', path: '/r/8K3M0Q9TZX1A', page: 'receipt', id: '8K3M0Q9TZX1A' };
  expect(read(text)).toEqual(page);
});

test.each([
  'quittance.example/s/STMT8K3M0Q9T?print',
  'https://quittance.example/statement/STMT8K3M0Q9T/csv',
  '/s/STMT8K3M0Q9T',
  'STMT8K3M0Q9T',
])('opens the statement of %s', (text) => {
  const page = { kind: 'page', path: '/s/STMT8K3M0Q9T', page: 'statement', id: 'STMT8K3M0Q9T' };
  expect(read(text)).toEqual(page);
});

test.each([
  [`https://solscan.io/token/${WALLET}`, 'This link leads to a token.'],
  [`https://solana.fm/#/token/${WALLET}`, 'This link leads to a token.'],
  ['https://explorer.solana.com/block/123456', 'This link leads to a block.'],
  ['https://example.com/pricing', 'names no transaction and no wallet'],
  // A receipt of another service with the same software is not one of ours.
  ['https://receipts.example.org/r/8K3M0Q9TZX1A', 'leads to a document of receipts.example.org'],
  ['https://receipts.example.org/s/STMT8K3M0Q9T', 'leads to a document of receipts.example.org'],
  ['https://quittance.example/statements', 'leads to a page of this service'],
  ['https://quittance.example/', 'leads to a page of this service'],
  ['/dashboard', 'leads to a page of this service'],
  [`${TX} ${OTHER_TX}`, 'This holds 2 signatures or addresses'],
  [`${WALLET}, ${WALLET.slice(1)}`, 'This holds 2 signatures or addresses'],
  ['a.b.sol', 'We look up only names of the letters a to z'],
  ['alice.sol.sol', 'We look up only names of the letters a to z'],
  // A Cyrillic a, a zero width space in two places, and the Kelvin sign.
  ['\u0430lice.sol', 'We look up only names of the letters a to z'],
  ['ali\u200bce.sol', 'We look up only names of the letters a to z'],
  ['alice.sol\u200b', 'We look up only names of the letters a to z'],
  ['\u212aim.sns', 'We look up only names of the letters a to z'],
  ['0x52908400098527886E0F7030069857D2E4169EE7', 'Ethereum'],
  [TX.slice(0, 60), 'this has 60'],
  [`Tx: ${TX.slice(0, 60)}`, 'this has 60'],
  [`https://solscan.io/tx/${TX.slice(0, 60)}`, 'this has 60'],
  ['hello there', 'neither a transaction signature'],
])('gives %s a specific answer', (text, words) => {
  const found = read(text);
  expect(found.kind === 'other' ? t(found.why, { ...found.values }) : found.kind).toContain(words);
});

test('the ids of documents are those that the service makes', () => {
  const patterns = (file: string) =>
    [...readFileSync(file, 'utf8').matchAll(/(?:RECEIPT|STATEMENT)_ID = .+;/g)].map(String);
  const own = patterns('components/create/read-input.ts');
  expect(own).toHaveLength(2);
  expect(own).toEqual(patterns('packages/verify/src/receipts/ids.ts'));
});

test('an empty field is no error, and a page address is read like the field', () => {
  for (const text of ['  ', '\u200b', '""', '> '])
    expect([text, read(text)]).toEqual([text, { kind: 'empty' }]);
  for (const tx of [TX, `${TX}.`, ` ${TX}`, `https://explorer.solana.com/tx/${TX}?cluster=devnet`])
    expect([tx, chosenSignature(tx)]).toEqual([tx, TX]);
  for (const tx of [null, '', WALLET, `${TX}${TX}`, `${TX} ${OTHER_TX}`, '<script>'])
    expect([tx, chosenSignature(tx)]).toEqual([tx, null]);
});

test('marks are removed like by the plain pattern of a start and an end', () => {
  const mark = '[\\s\\p{Pi}\\p{Pf}\\p{Ps}\\p{Pe}"\'`´*~|>#]';
  const plain = new RegExp(`^${mark}+|(?:${mark}|[,.;])+$`, 'gu');
  const letter = fc.constantFrom(...' \n«»([)]"\'`´*~|>#,,..;;ab-😀');
  fc.assert(
    fc.property(fc.string({ unit: letter, maxLength: 12 }), (text) => {
      expect(withoutMarks(text)).toBe(text.replace(plain, ''));
    }),
    { numRuns: 5_000 },
  );
});

/** Units of every kind of letter that a pattern repeats. */
const UNITS = [
  ...' \n,.;:"«)*|>#-_/?&=%aZ1!é署\u200b😀',
  ...[
    'a.',
    'a-.',
    'a:',
    'a ',
    ': ',
    ', ',
    '.sol',
    '.sol,',
    '0x',
    '//',
    '/a',
    'https://',
    '{',
    ':1',
  ],
];

test.each(UNITS)('32,000 letters of %j are read at once', (unit) => {
  const long = unit.repeat(32_000 / unit.length);
  const texts = ['', 'a', 'a.b', '0x', 'https://a/'].flatMap((start) =>
    ['', 'b', '!'].map((end) => `${start}${long}${end}`),
  );
  for (const text of texts) {
    const begun = performance.now();
    const { kind } = read(text);
    // A quadratic pattern takes seconds.
    expect([kind, performance.now() - begun < 500]).toEqual([expect.any(String), true]);
  }
});

test('a long run of punctuation inside a text is kept', () => {
  const commas = ','.repeat(16_000);
  expect(read(`a${commas}b`)).toEqual({ kind: 'other', why: 'neither' });
  expect(read(`${TX}${commas}`)).toEqual({ kind: 'signature', value: TX });
});
