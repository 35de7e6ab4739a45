import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  checkCharacter,
  isDti,
  listTokens,
  parseTokenLine,
  readTable,
  tokenByMint,
} from './token-table';
import { isWalletAddress } from '../wallets/base58';

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

describe('DTI codes', () => {
  it.each([
    ['5R3XFPZS', 'M'],
    ['X9J9K872', 'S'],
    ['TJWK5QTR', 'K'],
    ['BWWHGZZG', '7'],
  ])('%s has the check character %s', (base, check) => {
    expect(checkCharacter(base)).toBe(check);
    expect(isDti(base + check)).toBe(true);
  });

  it('are refused with a wrong check character, a wrong form or a placeholder', () => {
    for (const code of [
      '999999999',
      '5R3XFPZSN',
      '012345678',
      '4H95J0R2T',
      '5r3xfpzsm',
      '',
      '5R3XFPZ',
    ])
      expect(isDti(code)).toBe(false);
  });

  it('of Bitcoin is the one exception', () => {
    expect(isDti('4H95J0R2X')).toBe(true);
    expect(checkCharacter('4H95J0R2')).not.toBe('X');
  });

  it('are found wrong after any change of one character', () => {
    const alphabet = '0123456789BCDFGHJKLMNPQRSTVWXZ';
    for (let at = 0; at < 9; at += 1)
      for (const other of alphabet) {
        const changed = `5R3XFPZSM`.slice(0, at) + other + `5R3XFPZSM`.slice(at + 1);
        expect(isDti(changed)).toBe(changed === '5R3XFPZSM');
      }
  });
});

describe('the token table', () => {
  const tokens = listTokens('mainnet');

  it('has every code right and every mint once', () => {
    expect(tokens.length).toBeGreaterThanOrEqual(159);
    expect(new Set(tokens.map(({ mint }) => mint)).size).toBe(tokens.length);
    for (const { mint, dtifCode, groupCode } of tokens) {
      expect(mint === null || isWalletAddress(mint)).toBe(true);
      for (const code of [dtifCode, groupCode]) expect(code === null || isDti(code)).toBe(true);
    }
  });

  it.each([
    [USDC, 'USDC', '5R3XFPZSM', 'TJWK5QTRK', 'par'],
    ['Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB', 'USDT', '6QBMW6DQZ', 'L09Q657BK', 'par'],
    ['2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo', 'PYUSD', '6202TBRW7', 'SQP45P2LT', 'par'],
    ['2u1tszSeqZ3qBWF3uNGPFc8TzMk2tdiwknnRMWGWjGWH', 'USDG', null, null, 'par'],
    ['USDSwr9ApdHk5bvJKMjzff41FfuX8bSxdKcR81vTwcA', 'USDS', null, null, 'par'],
    ['9zNQRsGLjNKwCUU5Gq5LR8beUCPzQMVMqKAi3SSZh54u', 'FDUSD', '23P8LLP8Z', '99LTL8482', 'par'],
    ['USD1ttGY1N17NEEHLmELoaybftRBUSErhqYiQzvEmuB', 'USD1', null, null, 'par'],
    [
      'HzwqbKZw8HxMN6bF2yFZNrht3c2iXXzpKcFu7uBEDKtr',
      'EURC',
      'FZQ4WZNHC',
      '13XTMPZT3',
      { fx: 'EUR' },
    ],
    [null, 'SOL', '20J63Z4N3', '6QZ1LNC12', 'market'],
    ['So11111111111111111111111111111111111111112', 'wSOL', 'WJJ3P11HW', '7N15VX8NJ', 'market'],
    ['DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263', 'BONK', '89NNGP3K9', 'H6KJTT0CP', null],
  ])('knows %s as %s', (mint, symbol, dtifCode, groupCode, valuation) => {
    for (const network of ['mainnet', 'local'] as const)
      expect(tokenByMint(mint, network)).toEqual({ mint, symbol, dtifCode, groupCode, valuation });
  });

  it('values ten tokens and no other', () => {
    expect(
      tokens.filter(({ valuation }) => valuation !== null).map(({ symbol }) => symbol),
    ).toEqual(['SOL', 'wSOL', 'USDC', 'USDT', 'PYUSD', 'USDG', 'USDS', 'FDUSD', 'USD1', 'EURC']);
  });

  it('lets no other token bear the symbol of one that has a value', () => {
    const valued = new Set(tokens.flatMap((t) => (t.valuation === null ? [] : [t.symbol])));
    const bearers = tokens.filter(({ symbol }) => valued.has(symbol));
    expect(bearers).toHaveLength(valued.size);
  });

  it('keeps networks apart: test tokens have no codes, mainnet’s mint is unknown on devnet', () => {
    expect(tokenByMint('4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU', 'devnet')).toMatchObject({
      symbol: 'USDC',
      dtifCode: null,
      valuation: 'par',
    });
    expect(tokenByMint(USDC, 'devnet')).toBeNull();
    expect(tokenByMint('4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU', 'mainnet')).toBeNull();
  });
});

/** The list the table was made from. */
const LIST = new URL('./dti-solana.json', import.meta.url);

describe('the list of registered Solana tokens', () => {
  const listed = z
    .array(
      z.object({
        mint: z.string().nullable(),
        dti: z.string().nullable(),
        ffg: z.string().nullish(),
      }),
    )
    .parse(JSON.parse(readFileSync(LIST, 'utf8')));

  it('is in the table, every mint with its codes, and the table has no code beside it', () => {
    const coded = listed.filter(({ dti }) => dti !== null);
    expect(coded.length).toBeGreaterThan(150);
    const codes = (mint: string | null, dti: string | null, group: string | null) =>
      `${mint ?? 'SOL'} ${dti} ${group}`;
    expect(
      listTokens('mainnet')
        .filter(({ dtifCode }) => dtifCode !== null)
        .map(({ mint, dtifCode, groupCode }) => codes(mint, dtifCode, groupCode))
        .sort(),
    ).toEqual(coded.map(({ mint, dti, ffg }) => codes(mint, dti, ffg ?? null)).sort());
  });
});

describe('a line of the table', () => {
  const line = [
    'So11111111111111111111111111111111111111113',
    'NEW',
    '5R3XFPZSM',
    'TJWK5QTRK',
    'par',
  ];

  it('is all that a new token takes', () => {
    expect(parseTokenLine(line)).toEqual({
      mint: line[0],
      symbol: 'NEW',
      dtifCode: '5R3XFPZSM',
      groupCode: 'TJWK5QTRK',
      valuation: 'par',
    });
  });

  it('takes a day from which its valuation counts', () => {
    const table = readTable({ since: '2027-01-01', lines: [[...line, '2027-03-01']] });
    const day = new Date('2027-03-01T00:00:00Z');
    expect(table.days()).toEqual([day]);
    const valuations = [new Date(day.getTime() - 1), day, undefined].map(
      (tableOf) => table.byMint(line[0] ?? null, tableOf)?.valuation,
    );
    expect(valuations).toEqual([null, 'par', 'par']);
    expect(() => readTable({ since: '2027-03-01', lines: [[...line, '2027-03-01']] })).toThrow(
      z.ZodError,
    );
  });

  it.each([
    ['two days', [...line, '2027-03-01', '2027-05-01']],
    ['a day that is none', [...line, '2027-02-30']],
    ['a wrong check character', ['m', 'NEW', '5R3XFPZSN', null, 'par']],
    ['a wrong check character of the group', ['m', 'NEW', null, 'TJWK5QTRX', 'par']],
    ['no symbol', ['m', '', null, null, null]],
    ['a price that nobody publishes', ['m', 'NEW', null, null, 'market']],
    ['a field too few', ['m', 'NEW', null, null]],
  ])('with %s stops the start', (_, wrong) => {
    expect(() => parseTokenLine(wrong)).toThrow(z.ZodError);
  });
});
