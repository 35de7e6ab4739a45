import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fromDecimal, toDecimal } from '@quittance/verify/money';
import { CSV_COLUMNS } from '@quittance/verify/receipts/transfer-row';
import { EXPORT_FORMATS } from './export-format';
import { ROWS } from './rows.fixture';

type Name = keyof typeof EXPORT_FORMATS;
const WALLET = ROWS[0]?.payer ?? '';

function file(name: Name, country = 'DE'): string {
  const { head, rows, foot } = EXPORT_FORMATS[name].open({ wallet: WALLET, country });
  return head + rows(ROWS) + foot;
}

/**
 * The rules of RFC 4180: commas, CRLF, quotes only around whole cells, every record as long as the
 * first.
 */
function records(text: string): string[][] {
  return z
    .array(z.array(z.string()))
    .parse(parse(text, { record_delimiter: '\r\n', relax_quotes: false }));
}
function cells(name: Name, country?: string): Record<string, string>[] {
  const [header = [], ...rows] = records(file(name, country));
  return rows.map((row) => Object.fromEntries(row.map((cell, i) => [header[i] ?? '', cell])));
}
const isNumber = /^-?\d+(\.\d+)?$/;

describe('every export format', () => {
  it.each(Object.keys(EXPORT_FORMATS).map((name) => [name]))(
    '%s is its golden file',
    async (name) => {
      const { extension } = EXPORT_FORMATS[name as Name];
      await expect(file(name as Name)).toMatchFileSnapshot(
        `../../tests/golden/export-${name}.${extension}`,
      );
    },
  );

  it.each([
    [
      'koinly',
      'Date,Sent Amount,Sent Currency,Received Amount,Received Currency,Fee Amount,Fee Currency,Net Worth Amount,Net Worth Currency,Label,Description,TxHash',
    ],
    [
      'cointracker',
      'Date,Received Quantity,Received Currency,Sent Quantity,Sent Currency,Fee Amount,Fee Currency,Tag',
    ],
    [
      'coinledger',
      'Date (UTC),Platform (Optional),Asset Sent,Amount Sent,Asset Received,Amount Received,Fee Currency (Optional),Fee Amount (Optional),Type,Description (Optional),TxHash (Optional)',
    ],
    ['rotki', 'Type,Location,Currency,Amount,Fee,Fee Currency,Description,Timestamp'],
    ['xero', '*Date,*Amount,Payee,Description,Reference,Cheque Number'],
    ['quickbooks', 'Date,Description,Amount'],
    [
      'csv',
      'receipt_id,tx_signature,block_time_utc,direction,counterparty,token,mint,dtif_code,amount,usd_amount,local_currency,local_amount,exchange_rate,rate_date,rate_source,service_type,transaction_type,invoice_id,metadata_uri,valuation,amount_sent,fee_withheld,payer,seller,slot,mint_status,asset_id',
    ],
  ] as const)('%s has the exact header', (name, header) => {
    expect(file(name).split('\r\n')[0]).toBe(header);
  });

  it.each(['csv', 'koinly', 'cointracker', 'coinledger', 'rotki', 'xero', 'quickbooks'] as const)(
    '%s has no cell that a spreadsheet runs, and no line end but CRLF',
    (name) => {
      const text = file(name);
      expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
      expect(text.endsWith('\r\n')).toBe(true);
      expect(text.startsWith('\ufeff')).toBe(false);
      for (const cell of records(text).slice(1).flat())
        if (/^[=+\-@\t\r＝＋－＠]/.test(cell)) expect(cell).toMatch(isNumber);
    },
  );
});

describe('the csv export', () => {
  it('read back by a strict parser gives every field of every row', () => {
    const found = cells('csv');
    expect(found).toHaveLength(ROWS.length);
    for (const [index, row] of ROWS.entries()) {
      const got = found[index] ?? {};
      expect(Object.keys(got)).toEqual([...CSV_COLUMNS]);
      const unquote = (cell: string | undefined) => cell?.replace(/^'(?=[=+\-@＝])/, '');
      expect({ ...got, service_type: unquote(got['service_type']) }).toMatchObject({
        receipt_id: row.receiptId,
        block_time_utc: row.blockTime.toISOString(),
        direction: row.direction,
        counterparty: row.counterparty,
        amount: toDecimal(row.amountRaw, row.decimals),
        amount_sent: toDecimal(row.amountSentRaw, row.decimals),
        fee_withheld: toDecimal(row.feeWithheldRaw, row.decimals),
        usd_amount: toDecimal(row.usdMicros ?? 0n, 6),
        service_type: row.serviceType,
        mint: row.mint ?? '',
        asset_id: row.assetId ?? '',
        slot: row.slot.toString(),
      });
      expect(unquote(got['invoice_id'])).toBe(row.invoiceId ?? '');
    }
  });

  it('writes plain decimals with the digits of the currency', () => {
    const found = cells('csv');
    expect(found.map((row) => row['local_amount'])).toEqual([
      ...['10.47', '', '0.00', '3127513.33', '171555951472000000'],
    ]);
    expect(found[4]?.['amount']).toBe('9007199.254740993');
    expect(found[2]?.['amount']).toBe('0.000001');
  });

  it('says in the row that a rate is missing, and which one may still change', () => {
    const found = cells('csv');
    expect(found[1]).toMatchObject({
      local_currency: 'EUR',
      local_amount: '',
      exchange_rate: '',
      rate_date: '',
      rate_source: 'no rate: the source did not answer',
    });
    expect(found[4]?.['rate_source']).toBe("'=evil source (provisional)");
  });
});

describe('the json export', () => {
  const body = z
    .object({
      success: z.literal(true),
      wallet: z.string(),
      country: z.string(),
      receipts: z.array(z.record(z.string(), z.unknown())),
    })
    .parse(JSON.parse(file('json')));

  it('has the columns of the csv, amounts as numbers with raw strings', () => {
    expect(body).toMatchObject({ wallet: WALLET, country: 'DE' });
    for (const receipt of body.receipts)
      expect(Object.keys(receipt)).toEqual(expect.arrayContaining([...CSV_COLUMNS]));
    expect(body.receipts[0]).toMatchObject({
      amount: 12.345678,
      amount_raw: '12345678',
      usd_amount: 12.345678,
      local_amount: 10.47,
      local_amount_raw: '1047',
      exchange_rate: 0.848392296597,
      slot: 388_000_001,
    });
    expect(body.receipts[4]).toMatchObject({
      amount_raw: '9007199254740993',
      mint: null,
      rate_provisional: true,
      rate_source: '=evil source',
    });
  });

  it('has null and the reason where a rate is missing', () => {
    expect(body.receipts[1]).toMatchObject({
      local_amount: null,
      exchange_rate: null,
      rate_date: null,
      rate_source: 'no rate: the source did not answer',
    });
  });

  it('of no receipts is a whole document', () => {
    const { head, foot } = EXPORT_FORMATS.json.open({ wallet: WALLET, country: 'US' });
    expect(JSON.parse(head + foot)).toMatchObject({ success: true, receipts: [] });
  });
});

describe('the files of other tools', () => {
  it('show what was withheld as the fee of the payer, and none to the seller', () => {
    expect(cells('koinly')[3]).toMatchObject({
      Date: '2025-12-24 23:59:59',
      'Sent Amount': '3686400',
      'Sent Currency': 'PYUSD',
      'Fee Amount': '153600',
      'Fee Currency': 'PYUSD',
      'Received Amount': '',
    });
    expect(cells('koinly')[4]).toMatchObject({ 'Sent Amount': '', 'Fee Amount': '' });
    expect(cells('rotki').map((row) => [row['Type'], row['Timestamp']])).toContainEqual([
      ...['Income', '1766620799000'],
    ]);
  });

  it('write dates as each tool reads them, in UTC', () => {
    expect(cells('cointracker')[0]?.['Date']).toBe('12/24/2025 23:59:59');
    expect(cells('coinledger')[1]?.['Date (UTC)']).toBe('12/25/2025 00:00:00');
    expect(cells('xero')[0]?.['*Date']).toBe('24/12/2025');
    expect(cells('xero', 'US')[0]).toMatchObject({ '*Date': '12/24/2025', 'Check Number': '' });
  });

  it.each(['xero', 'quickbooks'] as const)(
    '%s dates follow the country: month first in the US alone',
    (name) => {
      const day = (country: string) => Object.values(cells(name, country)[0] ?? {})[0];
      expect(day('US')).toBe('12/24/2025');
      for (const country of ['GB', 'AU', 'CA', 'DE']) expect(day(country)).toBe('24/12/2025');
    },
  );

  it('rotki gets the identifier of each asset on Solana, never a symbol that is another token there', () => {
    expect(cells('rotki').map((row) => row['Currency'])).toEqual([
      ...Array.from(
        { length: 3 },
        () => 'solana/token:EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
      ),
      'solana/token:2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo',
      'SOL',
    ]);
    expect(cells('rotki')[3]).toMatchObject({
      Amount: '3686400',
      Fee: '153600',
      'Fee Currency': 'solana/token:2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo',
    });
  });

  it('CoinTracker gets at most 8 decimals, and the sum of a column stays that of the rows', () => {
    const sol = ROWS[4];
    if (!sol) throw new RangeError('the fixture has a row in SOL');
    const amounts = [1n, 5n, 123_456_789n, 4n, 1_000_000_005n, 3n, 9n, 9n, 9n, 9n];
    const received = amounts.map((amountRaw) => ({ ...sol, amountRaw, amountSentRaw: amountRaw }));
    const sent = received.map((row) => ({ ...row, direction: 'sent' as const }));
    const { head, rows } = EXPORT_FORMATS.cointracker.open({ wallet: WALLET, country: 'DE' });
    // Two pages of one file.
    const found = records(head + rows([...received, ...sent.slice(0, 3)]) + rows(sent.slice(3)));
    const sum = (column: number) =>
      found.slice(1).reduce((all, cells) => {
        const raw = fromDecimal(cells[column] === '' ? '0' : (cells[column] ?? ''), 8);
        if (raw === null) throw new RangeError(`${String(cells[column])} has more than 8 decimals`);
        return all + raw * 10n;
      }, 0n);
    const exact = amounts.reduce((all, amount) => all + amount, 0n);
    for (const column of [1, 3]) {
      const off = sum(column) - exact;
      expect(off >= -5n && off <= 5n, `column ${column} is off by ${off} lamports`).toBe(true);
    }
    // Each row moves something: amounts that round to nothing are in the next row.
    for (const cells of found.slice(1)) expect([cells[1], cells[3]]).not.toEqual(['', '']);
  });

  it('book what left the payer below zero in the local currency, and leave no amount where there is no rate', () => {
    // The fourth payer sent 3,840,000 of which the token withheld 4 %: all of it left its account.
    expect(cells('xero').map((row) => row['*Amount'])).toEqual([
      ...['-10.47', '', '0.00', '-3257826.39', '171555951472000000'],
    ]);
    expect(cells('quickbooks').map((row) => row['Amount'])).toContain('-3257826.39');
    expect(cells('xero')[1]?.['Description']).toContain('EUR value missing, no rate');
    // QuickBooks rejects amounts that round to nothing, so they are left out.
    expect(cells('quickbooks')).toHaveLength(ROWS.length - 1);
  });
});
