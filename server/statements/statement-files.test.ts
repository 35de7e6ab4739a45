import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseCsv } from '@quittance/verify/csv';
import { checkDrawn } from '@quittance/verify/images/check-drawn';
import { drawHere } from '@quittance/verify/images/draw-sheet';
import { drawnWith } from '@quittance/verify/images/drawn-with';
import { sheetOfStatement } from '@quittance/verify/images/sheet-of-proof';
import { FACTS_KEY, factsDigest } from '@quittance/verify/receipts/image-digest';
import { describeStatement, type StatementFacts } from './describe-statement';
import { drawStatement } from './draw-statement';
import { makeRow, makeRows, WALLET } from './list.fixture';
import { statementName } from '@quittance/verify/statements/describe-statement';
import { parseStatementMetadata } from '@quittance/verify/statements/parse-statement-metadata';
import { presentRow, sumRows } from '@quittance/verify/statements/statement-rows';
import { writeCsv } from '@quittance/verify/statements/write-csv';

const rows = [
  ...makeRows(12),
  makeRow(12, { token: 'EURC', mint: 'euro', usdMicros: 2_200_000n, amountRaw: 2_000_000n }),
  makeRow(13, { token: 'SOL', mint: null, decimals: 9, usdMicros: 333n, amountRaw: 1n }),
];
const facts: StatementFacts = {
  statementId: 'STMT7K3MQ9XW',
  issuedAt: new Date('2026-11-28T14:06:00.250Z'),
  network: 'local',
  publicUrl: 'https://receipts.example',
  wallet: WALLET,
  mode: 'scan',
  firstDay: '2026-01-01',
  lastDay: '2026-12-31',
  period: {
    from: new Date('2026-01-01T00:00:00Z'),
    until: new Date('2027-01-01T00:00:00Z'),
    minMicros: 10_000n,
  },
  complete: true,
  totals: sumRows(rows),
  csvSha256: 'ab'.repeat(32),
  merkleRoot: 'cd'.repeat(32),
};

const metadata = describeStatement(facts, 'https://gateway.example/image');
const reading = sheetOfStatement({ metadata, rows: rows.map(presentRow), network: 'local' });
const drawing = { ok: true, draw: drawHere, drawnWith: drawnWith('node_modules') } as const;
const mintedAt = facts.issuedAt;

describe('the files of a statement', () => {
  it('have its totals, period, count, hash and root, and can be read back', () => {
    const bytes = describeStatement(facts, 'https://gateway.example/image');
    const reading = parseStatementMetadata(bytes);
    expect(reading).toMatchObject({
      ok: true,
      metadata: {
        statementId: 'STMT7K3MQ9XW',
        wallet: WALLET,
        count: 14,
        merkleRoot: facts.merkleRoot,
        csvSha256: facts.csvSha256,
        totalMicros: 14_200_399n,
        name: statementName(facts),
        asPayerMicros: 8_200_030n,
        asSellerMicros: 6_000_369n,
        leastMicros: 10_000n,
        isRemade: true,
      },
    });
    const text = Buffer.from(bytes).toString();
    for (const word of ['2026-01-01', '2026-12-31', '"Paid in EURC","value":"2"', '0.000000001'])
      expect(
        text.replaceAll(/"reported_by":"service",|,"verification":"self_reported"/g, ''),
      ).toContain(word.includes('Paid in') ? 'Paid in EURC' : word);
    expect(text).not.toMatch(/jurisdiction|country/i);
    expect(parseStatementMetadata(Buffer.from('{}'))).toMatchObject({ ok: false });
  });

  it('have a name that the program takes, on every network', () => {
    for (const network of ['local', 'devnet', 'mainnet'] as const)
      expect(Buffer.byteLength(statementName({ ...facts, network }))).toBeLessThanOrEqual(32);
  });

  it('have an image of 1000 by 1000 that is stored without payment, and equal for equal facts', async () => {
    const image = await drawStatement(facts);
    const other = await drawStatement({ ...facts, merkleRoot: 'ce'.repeat(32) }, (sheet) =>
      drawHere(sheet, { [FACTS_KEY]: factsDigest(describeStatement(facts, '')) }),
    );
    const again = (image: Uint8Array) =>
      checkDrawn({ reading, metadata, image, mintedAt, drawing });
    expect(await again(image)).toMatchObject({ outcome: 'held' });
    expect(await again(other)).toMatchObject({ outcome: 'failed' });
    expect(sheetOfStatement({ metadata, rows: undefined, network: 'local' }).ok).toBe(false);
    const out = process.env['IMAGE_OUT'];
    if (out) writeFileSync(out, image);
    const header = Buffer.from(image);
    expect([header.readUInt32BE(16), header.readUInt32BE(20)]).toEqual([1_000, 1_000]);
    expect(image.length).toBeLessThan(90 * 1024);
    expect(await drawStatement(facts)).toEqual(image);
    expect(other).not.toEqual(image);
  });

  it('have a CSV that reads back as what was written, formulas made harmless', () => {
    const hostile = makeRow(1, {
      labels: {
        serviceType: '=1+1',
        transactionType: 'a,"b"\r\nc',
        invoiceId: null,
        metadataUri: null,
      },
    });
    const [head, one, two, ...rest] = parseCsv(writeCsv(WALLET, [makeRow(0), hostile]));
    expect([head?.[1], rest]).toEqual(['tx_signature', []]);
    expect(one?.slice(1, 9)).toEqual([
      ...[makeRow(0).txSignature, '2026-01-01T00:00:00.000Z', 'sent', makeRow(0).counterparty],
      ...['USDC', makeRow(0).mint, '8M5SZ2T8M', '1'],
    ]);
    expect(two?.slice(15, 17)).toEqual(["'=1+1", 'a,"b"\r\nc']);
    expect(two?.slice(10, 15)).toEqual(['', '', '', '', '']);
    expect([two?.[22], two?.[23]]).toEqual([hostile.counterparty, WALLET]);
  });
});
