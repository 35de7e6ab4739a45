import { expect, it } from 'vitest';
import { checkDrawn } from '@quittance/verify/images/check-drawn';
import { drawHere } from '@quittance/verify/images/draw-sheet';
import { drawnWith } from '@quittance/verify/images/drawn-with';
import { sheetOfStatement } from '@quittance/verify/images/sheet-of-proof';
import { FACTS_KEY, factsDigest } from '@quittance/verify/receipts/image-digest';
import { describeStatement } from './describe-statement';
import { drawStatement } from './draw-statement';
import { makeRow } from './list.fixture';
import { draftStatement } from './statement.fixture';

const row = makeRow(1);
const wallet = row.counterparty;
const { facts, items } = draftStatement({ wallet, rows: [row] });
const metadata = describeStatement(facts, 'https://gateway.example/image');
/** The same by the third template, whose image has other words. */
const third = Buffer.from(
  Buffer.from(metadata)
    .toString('utf8')
    .replace('"Template","value":"4"', '"Template","value":"3"'),
);

const sheetOf = (bytes: Uint8Array) => {
  const reading = sheetOfStatement({ metadata: bytes, rows: items, network: 'local' });
  if (!reading.ok) throw new Error(reading.why);
  return reading;
};
const check = (bytes: Uint8Array, image: Uint8Array) =>
  checkDrawn({
    reading: sheetOf(bytes),
    metadata: bytes,
    image,
    mintedAt: null,
    drawing: { ok: true, draw: drawHere, drawnWith: drawnWith('node_modules') },
  });

it('the image of a statement is the one that its metadata draws', async () => {
  expect(sheetOf(metadata).sheet.groups[0]?.title).toBe('Calculated by Quittance');
  const image = await drawStatement(facts);
  expect(await check(metadata, image)).toMatchObject({ outcome: 'held' });
  expect(await check(third, image)).toMatchObject({ outcome: 'failed' });
});

it('the image of a statement of the third template is drawn again with its own words', async () => {
  expect(third.equals(metadata)).toBe(false);
  const { sheet } = sheetOf(third);
  expect(sheet.groups[0]?.title).toBe('Added up by Quittance');
  const image = await drawHere(sheet, { [FACTS_KEY]: factsDigest(third) });
  expect(await check(third, image)).toMatchObject({ outcome: 'held' });
});
