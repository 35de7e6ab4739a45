import { crc32, deflateSync, inflateSync } from 'node:zlib';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { checkDrawn, type Drawing } from '@quittance/verify/images/check-drawn';
import { DRAWN_WITH_KEY } from '@quittance/verify/images/compare-images';
import { drawFrom, drawHere } from '@quittance/verify/images/draw-sheet';
import { drawnWith } from '@quittance/verify/images/drawn-with';
import { isReleased, versionsIn } from '@quittance/verify/images/released-drawing';
import { sheetOfReceipt } from '@quittance/verify/images/sheet-of-proof';
import { interpretTransaction } from '@quittance/verify/chain/read-transfer';
import { TIPS } from '@quittance/verify/chain/tips';
import { refuse, type TransactionReading } from '@quittance/verify/chain/transfer';
import { checkImage } from '@quittance/verify/receipts/check-image';
import { parseReceiptMetadata } from '@quittance/verify/receipts/describe-parse';
import { FACTS_KEY, factsDigest } from '@quittance/verify/receipts/image-digest';
import { besideOf, legsOf } from '@quittance/verify/receipts/receipt-beside';
import manifest from '@/package.json';
import verifierManifest from '@/packages/verify/package.json';
import { MadeTransaction, named } from '@/tests/harness/chain/made-transaction';
import { describeReceipt } from './describe-receipt';
import { drawReceipt } from './draw-receipt';
import { makeFacts } from './facts.fixture';
import type { ReceiptFacts } from './receipt-facts';

const here: Drawing = { ok: true, draw: drawHere, drawnWith: drawnWith('node_modules') };
const MINTED = new Date('2026-11-28T14:06:00Z');
const LATER = new Date('2027-01-15T00:00:00Z');

/** A payment of 4 USDC to the seller and one unit to each of twenty others: more than a receipt lists. */
const payment: TransactionReading = interpretTransaction(
  Array.from({ length: 20 }, (_, n) => `guest ${n}`)
    .reduce(
      (made, guest) =>
        made
          .account(`${guest} usdc`, { owner: guest, amount: 0n })
          .send('payer usdc', `${guest} usdc`, 1n, { authority: 'payer' }),
      new MadeTransaction({ feePayer: 'payer' })
        .account('payer usdc', { owner: 'payer', amount: 9_000_000n })
        .account('seller usdc', { owner: 'seller', amount: 0n })
        .send('payer usdc', 'seller usdc', 4_000_000n, { authority: 'payer' }),
    )
    .raw(),
  { network: 'mainnet' },
);

function factsPayment() {
  if (!payment.ok) throw new Error(payment.detail);
  return payment;
}

function factsOf(): ReceiptFacts {
  const { transfer } = factsPayment();
  const goods = { mint: named('ticket'), decimals: 0, amount: 1n };
  return makeFacts({
    payer: transfer.payer,
    seller: transfer.seller,
    amount: transfer.amount,
    amountSent: transfer.amountSent,
    usdMicros: transfer.amount,
    otherLegs: legsOf(transfer),
    beside: { ...besideOf(transfer), goods: [goods] },
    publicUrl: 'https://receipts.example',
  });
}

type Chunk = { type: string; data: Buffer };
/** The same PNG with other chunks, each with its checksum. */
function rewritten(png: Uint8Array, change: (chunks: Chunk[]) => Chunk[]): Buffer {
  const bytes = Buffer.from(png);
  const chunks: Chunk[] = [];
  for (let at = 8; at < bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const data = bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at));
    chunks.push({ type: bytes.toString('latin1', at + 4, at + 8), data });
  }
  const packed = change(chunks).map(({ type, data }) => {
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  });
  return Buffer.concat([bytes.subarray(0, 8), ...packed]);
}
const isName = ({ data }: Chunk) => data.toString('latin1').startsWith(DRAWN_WITH_KEY);
const nameIn = (png: Uint8Array, name: string | null) =>
  rewritten(png, (chunks) =>
    chunks.flatMap((one) => {
      if (!isName(one)) return [one];
      return name === null ? [] : [{ ...one, data: Buffer.from(`${DRAWN_WITH_KEY}\0${name}`) }];
    }),
  );
const OTHER_CANVAS = drawnWith('node_modules').replace(/canvas [\d.]+/, 'canvas 9.9.9');

const facts = factsOf();
const metadata = describeReceipt(facts, 'https://gateway.example/image');
let image: Uint8Array;
/** The image of a receipt of 999,999 USDC with the digest of the true facts. */
let forged: Uint8Array;
beforeAll(async () => {
  image = await drawReceipt(facts);
  forged = await drawReceipt({ ...facts, amount: 999_999_000_000n }, (sheet) =>
    drawHere(sheet, { [FACTS_KEY]: factsDigest(metadata) }),
  );
});

async function check(
  shown: Uint8Array,
  o: { drawing?: Drawing; mintedAt?: Date; bytes?: Uint8Array } = {},
) {
  const { drawing = here, mintedAt = MINTED, bytes = metadata } = o;
  const reading = sheetOfReceipt({ metadata: bytes, payment, network: 'mainnet' });
  return checkDrawn({ reading, metadata: bytes, image: shown, mintedAt, drawing });
}

describe('an image that is drawn again', () => {
  it('is that of the service, with the goods and all other legs of the transaction', async () => {
    expect(facts.otherLegs).toHaveLength(20);
    expect(await check(image)).toMatchObject({
      id: 'picture_redrawn',
      outcome: 'held',
      detail: `drawn again with ${drawnWith('node_modules')}`,
    });
  });

  it('shows the image of another receipt, whose digest is right, and that alone shows it', async () => {
    const reading = parseReceiptMetadata(metadata);
    const lines = checkImage({
      metadata: reading.ok ? reading.metadata : null,
      bytes: metadata,
      image: forged,
    });
    expect(lines).toMatchObject([{ outcome: 'held' }, { outcome: 'held' }]);
    const line = await check(forged);
    expect(line.outcome).toBe('failed');
    expect(line.detail).toMatch(/^\d{4,} of its pixels differ$/);
  });

  it('is the same however its pixels are compressed', async () => {
    const packed = rewritten(image, (chunks) =>
      chunks.map((one) =>
        one.type === 'IDAT'
          ? { ...one, data: deflateSync(inflateSync(one.data), { level: 1 }) }
          : one,
      ),
    );
    expect(packed.equals(image)).toBe(false);
    expect(await check(packed)).toMatchObject({ outcome: 'held' });
  });

  it('has nothing beside its pixels that viewers show in their place', async () => {
    const animated = rewritten(image, ([header, ...rest]) => [
      ...(header ? [header] : []),
      { type: 'acTL', data: Buffer.alloc(8, 1) },
      ...rest,
    ]);
    const followed = Buffer.concat([image, Buffer.from('more')]);
    const broken = Buffer.from(image);
    broken.writeUInt8(broken.readUInt8(broken.length - 1) ^ 1, broken.length - 1);
    expect(await check(nameIn(animated, OTHER_CANVAS), { mintedAt: LATER })).toMatchObject({
      outcome: 'failed',
    });
    for (const other of [animated, nameIn(animated, null), followed, broken, Buffer.from('no')])
      expect(await check(other)).toMatchObject({ outcome: 'failed' });
  });

  it('has the colours of these facts', async () => {
    const dark = rewritten(image, (chunks) =>
      chunks.map((one) =>
        one.type === 'PLTE' ? { ...one, data: Buffer.from(one.data).reverse() } : one,
      ),
    );
    expect(await check(dark)).toMatchObject({ outcome: 'failed', detail: 'its colours differ' });
  });

  it('proves nothing where a later release drew it with other packages, and is decided by them where they draw the same', async () => {
    expect(await check(nameIn(image, OTHER_CANVAS))).toMatchObject({ outcome: 'held' });
    const line = await check(nameIn(forged, OTHER_CANVAS), { mintedAt: LATER });
    expect(line.outcome).toBe('unknown');
    expect(line.detail).toContain('@napi-rs/canvas 9.9.9');
    expect(line.detail).toContain('A newer verifier may know these versions');
    const other: Drawing = { ok: true, draw: drawHere, drawnWith: OTHER_CANVAS };
    expect(await check(forged, { drawing: other })).toMatchObject({
      outcome: 'unknown',
      detail: expect.stringContaining('Install these versions') as string,
    });
  });

  it('is not genuine if it names packages that no release of its time drew with', async () => {
    const line = await check(nameIn(forged, OTHER_CANVAS));
    expect(line).toMatchObject({ outcome: 'failed' });
    expect(line.detail).toContain('no release draws with @napi-rs/canvas 9.9.9');
  });

  it('differs by a shade at most from one of the same packages on another machine', async () => {
    const machine = drawnWith('node_modules').split(', ').at(-1) ?? '';
    const elsewhere = drawnWith('node_modules').replace(machine, 'plan9-mips');
    const shaded = (by: number) =>
      rewritten(nameIn(image, elsewhere), (chunks) =>
        chunks.map((one) => {
          if (one.type !== 'PLTE') return one;
          const data = Buffer.from(one.data);
          const at = data.findIndex((part) => part < 100);
          data.writeUInt8(data.readUInt8(at) + by, at);
          return { ...one, data };
        }),
      );
    expect(await check(nameIn(image, elsewhere))).toMatchObject({ outcome: 'held' });
    expect(await check(shaded(96), { mintedAt: LATER })).toMatchObject({ outcome: 'unknown' });
    expect(await check(shaded(97), { mintedAt: LATER })).toMatchObject({ outcome: 'failed' });
    for (const mintedAt of [MINTED, LATER])
      expect(await check(nameIn(forged, elsewhere), { mintedAt })).toMatchObject({
        outcome: 'failed',
      });
  });

  it('was drawn with the packages of the first release where it names none, which ended', async () => {
    const unnamed = nameIn(forged, null);
    expect(await check(unnamed)).toMatchObject({ outcome: 'failed' });
    expect(await check(unnamed, { mintedAt: LATER })).toMatchObject({ outcome: 'failed' });
    for (const mintedAt of [MINTED, LATER])
      expect(await check(nameIn(image, null), { mintedAt })).toMatchObject({ outcome: 'held' });
    const palette = (chunks: Chunk[]) =>
      chunks.map((one) =>
        one.type === 'PLTE' ? { ...one, data: Buffer.from(one.data.map((part) => part ^ 1)) } : one,
      );
    const shaded = rewritten(nameIn(image, null), palette);
    expect(await check(shaded)).toMatchObject({ outcome: 'unknown' });
    expect(await check(shaded, { mintedAt: LATER })).toMatchObject({ outcome: 'failed' });
  });

  it('of the packages before fonts were added is judged as one of today', async () => {
    const before = drawnWith('node_modules').replace(
      /, @fontsource\/noto-sans-(malayalam|sinhala) [\d.]+/g,
      '',
    );
    expect(isReleased(versionsIn(before))).toBe(true);
    for (const mintedAt of [MINTED, LATER]) {
      expect(await check(nameIn(image, before), { mintedAt })).toMatchObject({ outcome: 'held' });
      expect(await check(nameIn(forged, before), { mintedAt })).toMatchObject({
        outcome: 'failed',
        detail: expect.stringMatching(/^\d{4,} of its pixels differ$/) as string,
      });
    }
  });

  it('of the third template has its words, and is genuine where they are drawn', async () => {
    const text = Buffer.from(metadata).toString('utf8');
    const third = Buffer.from(text.replace('"Template","value":"4"', '"Template","value":"3"'));
    expect(third.toString('utf8')).not.toBe(text);
    const words = (bytes: Uint8Array) => {
      const reading = sheetOfReceipt({ metadata: bytes, payment, network: 'mainnet' });
      if (!reading.ok) throw new Error(reading.why);
      return reading.sheet;
    };
    expect(words(third).groups.map(({ title }) => title)).toEqual([
      'Verified on chain',
      'Stated by the payer, not verified',
      'Added by Quittance',
    ]);
    expect(words(metadata).groups.map(({ title }) => title)).toEqual([
      'Verified on chain',
      'Stated by the payer',
      'Calculated by Quittance',
    ]);
    const drawn = await drawHere(words(third), { [FACTS_KEY]: factsDigest(third) });
    expect(await check(drawn, { bytes: third })).toMatchObject({ outcome: 'held' });
    const newer = await drawHere(words(metadata), { [FACTS_KEY]: factsDigest(third) });
    expect(await check(newer, { bytes: third })).toMatchObject({ outcome: 'failed' });
  });

  it('of an older template, whose drawing code is gone, proves nothing', async () => {
    const bytes = describeReceipt({ ...facts, beside: null }, 'https://gateway.example/image');
    expect(await check(forged, { bytes, mintedAt: LATER })).toMatchObject({ outcome: 'unknown' });
  });

  it('has the legs of its time of issue, also after one of them was listed as a tip', async () => {
    const { transfer, movements } = factsPayment();
    const day = new Date('2027-03-01T00:00:00Z');
    const days = vi.spyOn(TIPS, 'days').mockReturnValue([day]);
    const isTip = ({ owner }: { owner: string }) => owner === named('guest 19');
    const today: TransactionReading = {
      ok: true,
      transfer: { ...transfer, otherLegs: transfer.otherLegs.filter((leg) => !isTip(leg)) },
      movements: {
        ...movements,
        legs: movements.legs.filter((leg) => !isTip(leg)),
        earlier: [{ before: day, movements }],
      },
    };
    const reading = sheetOfReceipt({ metadata, payment: today, network: 'mainnet' });
    days.mockRestore();
    expect(reading).toEqual(sheetOfReceipt({ metadata, payment, network: 'mainnet' }));
  });

  it('proves nothing where it cannot be drawn again, and says why', async () => {
    const without: Drawing = { ok: true, draw: drawFrom('no such folder'), drawnWith: 'nothing' };
    const line = await check(image, { drawing: without });
    expect(line.outcome).toBe('unknown');
    expect(line.detail).toMatch(/^not checked: it cannot be drawn: .*no such folder/);
    const draw = () => Promise.resolve(Buffer.from('no image'));
    expect(await check(image, { drawing: { ...without, draw } })).toMatchObject({
      outcome: 'unknown',
    });
  });

  it('proves nothing where its facts have no digest', async () => {
    const reading = sheetOfReceipt({ metadata, payment, network: 'mainnet' });
    const bytes = Buffer.from('no JSON');
    const line = await checkDrawn({
      reading,
      image,
      metadata: bytes,
      mintedAt: MINTED,
      drawing: here,
    });
    expect(line.outcome).toBe('unknown');
    expect(line.detail).toContain('no JSON');
  });

  it('rejects, and does not throw, where a package is missing', async () => {
    const reading = sheetOfReceipt({ metadata, payment, network: 'mainnet' });
    if (!reading.ok) throw new Error(reading.why);
    await expect(drawFrom('no such folder')(reading.sheet, {})).rejects.toThrow('no such folder');
  });

  it('proves nothing without the packages, and without the transaction that lists all legs', async () => {
    const drawing: Drawing = { ok: false, why: 'the canvas is not installed' };
    expect(await check(image, { drawing })).toMatchObject({
      outcome: 'unknown',
      detail: 'not checked: the canvas is not installed',
    });
    const gone = refuse('transaction_not_found', 'no node has it');
    const reading = sheetOfReceipt({ metadata, payment: gone, network: 'mainnet' });
    expect(reading.ok).toBe(false);
  });
});

it('the package of the verifier names the packages that the service draws with', () => {
  const versions = z.record(z.string(), z.string());
  const service = versions.parse(manifest.dependencies);
  const peers = versions.parse(verifierManifest.peerDependencies);
  const names = drawnWith('node_modules').split(', ').slice(0, -1);
  expect(
    Object.entries(peers)
      .map((one) => one.join(' '))
      .sort(),
  ).toEqual([...names].sort());
  for (const [name, version] of Object.entries(peers)) expect(service[name]).toBe(version);
  expect(
    isReleased(versionsIn(drawnWith('node_modules'))),
    'Other packages draw than those in released-drawing.ts: add their versions there, and move RELEASED_UNTIL.',
  ).toBe(true);
});
