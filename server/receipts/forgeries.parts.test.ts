import { publicKey } from '@metaplex-foundation/umi';
import { crc32 } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { fundWallet } from '@/devnet/client/fund-wallet';
import { payToken } from '@/devnet/client/pay-token';
import { makeWallet } from '@/devnet/client/wallet';
import { createRpc } from '@/server/chain/rpc';
import { readNode } from '@quittance/verify/chain/read-node';
import { readTransfer } from '@quittance/verify/chain/read-transfer';
import { checkDrawn } from '@quittance/verify/images/check-drawn';
import { drawHere } from '@quittance/verify/images/draw-sheet';
import { drawnWith } from '@quittance/verify/images/drawn-with';
import { encodePng } from '@quittance/verify/images/encode-png';
import { sheetOfReceipt } from '@quittance/verify/images/sheet-of-proof';
import type { ReceiptEvidence } from '@quittance/verify/receipts/check-evidence';
import { checkReceipt } from '@quittance/verify/receipts/check-receipt';
import { lookForSecond } from '@quittance/verify/receipts/look-for-second';
import { findLeaf, mintTime } from '@quittance/verify/receipts/minted-leaf';
import { FACTS_KEY, factsDigest } from '@quittance/verify/receipts/image-digest';
import { besideOf, legsOf } from '@quittance/verify/receipts/receipt-beside';
import { type Verdict, verdictOf } from '@quittance/verify/receipts/verdict';
import { receiptName } from '@quittance/verify/receipts/write-metadata';
import { describeReceipt } from './describe-receipt';
import { drawReceipt } from './draw-receipt';
import { type Issued, makeKey, onChain, openIssuer, seeAgain } from './evidence.fixture';
import { makeFacts } from './facts.fixture';
import type { ReceiptFacts } from './receipt-facts';

/** The parts that the issuer forges with its own keys. All other parts are made by the service. */
type Forge = {
  facts?: Partial<ReceiptFacts>;
  /** Rewrites the text of the metadata. */
  text?: (metadata: string) => string;
  /** The image, with the digest that the metadata has. */
  image?: (digest: string) => Promise<Uint8Array>;
  minted?: Partial<Issued>;
  /** Rewrites the shown parts after the mint. */
  shown?: (evidence: ReceiptEvidence) => Partial<ReceiptEvidence>;
  /** Another issuer mints it, into a tree that the first one lists as its own. */
  by?: 'another minter';
  /** Additional check: draw the image again, or search all trees of the issuer for a second NFT. */
  also?: 'redraw' | 'unique';
  /** Minted twice, for example after the first NFT was burnt. */
  twice?: true;
};
type Forgery = [what: string, line: string, forge: Forge];

const LABEL = 'API calls, November';
const label = (serviceType: string): Forge => ({ facts: { serviceType } });
const replace = (from: string, to: string): Forge => ({
  text: (metadata) => {
    expect(metadata).toContain(from);
    return metadata.replace(from, to);
  },
});
const stranger = makeKey().publicKey;

/** An image of this size, all of one colour. */
const blank = (size: number) => (digest: string) =>
  encodePng({
    width: size,
    height: size,
    rgba: new Uint8Array(size * size * 4).fill(255),
    palette: [0xffffff],
    texts: { [FACTS_KEY]: digest },
  });

/** A PNG with a part of this type behind its header. */
function withPart(png: Uint8Array, type: string, data: string): Uint8Array {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), Buffer.from(data, 'latin1')]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length - 4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([png.subarray(0, 33), length, body, sum, png.subarray(33)]);
}

/** The keys of the issuer as if they had ended so long before the mint, or been revoked then. */
const keysEnded = (beforeMs: number, isRevoked = false): Forge => ({
  shown: (evidence) => {
    const at = mintTime(evidence)?.getTime() ?? 0;
    const used_until = new Date(at - beforeMs).toISOString();
    const end = { used_until, revoked_at: isRevoked ? used_until : null };
    const creators = evidence.issuer.creators.map((key) => ({ ...key, ...end }));
    return { issuer: { ...evidence.issuer, creators } };
  },
});
const TEN_MINUTES = 600_000;
const OF_ANOTHER = { amount: 999_999_000_000n, amountSent: 999_999_000_000n };
/** The image of another receipt, with the digest of this one. */
const imageOfAnother: Forge = {
  image: (digest) =>
    drawReceipt({ ...base(), ...OF_ANOTHER }, (sheet) => drawHere(sheet, { [FACTS_KEY]: digest })),
};

const GENUINE: Forgery[] = [
  ['a receipt', '', { also: 'redraw' }],
  ['a receipt, the only one', '', { also: 'unique' }],
  ['a label of before web addresses and prize words were refused', '', label('Free mint, a.com')],
  [
    'a label whose letters need joiners',
    '',
    label('می\u200cخواهم ශ්\u200dරී 👨\u200d👩\u200d👧 1\ufe0f\u20e3'),
  ],
  ['keys that ended ten minutes before the mint', '', keysEnded(TEN_MINUTES)],
  // The README of the verifier says that pixels are looked at with --redraw alone.
  ['the image of another receipt, not drawn again', '', imageOfAnother],
];

const FORGED: Forgery[] = [
  ['the image of another receipt', 'picture_redrawn', { ...imageOfAnother, also: 'redraw' }],
  ['an image of one pixel', 'picture_form', { image: blank(1) }],
  ['an empty image', 'picture_redrawn', { image: blank(1000), also: 'redraw' }],
  [
    'an image that is animated',
    'picture_form',
    { image: async (digest) => withPart(await blank(1000)(digest), 'acTL', '12345678') },
  ],
  [
    'an image with a text that viewers show',
    'picture_form',
    { image: async (digest) => withPart(await blank(1000)(digest), 'tEXt', 'Title\0Invoice') },
  ],
  [
    'an image with two digests',
    'picture_form',
    { image: async (digest) => withPart(await blank(1000)(digest), 'tEXt', `${FACTS_KEY}\0x`) },
  ],
  [
    'an image with a page behind its end',
    'picture_form',
    { image: async (digest) => Buffer.concat([await blank(1000)(digest), Buffer.from('<html>')]) },
  ],
  ['a label that turns the text around', 'labels_plain', label('paid \u202e000,1')],
  ['a label of several lines', 'labels_plain', label('Paid\nAmount: 999,999 USDC')],
  ['a label with what nobody sees', 'labels_plain', label('In\u200bvoice')],
  ['a label with a joiner that no letter needs', 'labels_plain', label('In\u200dvoice')],
  ['a label that is too long', 'labels_plain', label('L'.repeat(65))],
  ['a label with a link', 'labels_plain', label('see https://pay.example')],
  ['a label that is not composed', 'labels_plain', label('Cafe\u0301')],
  [
    'a source of several lines',
    'labels_plain',
    { facts: { valuation: 'market', valuationSource: 'ECB\nAudited' } },
  ],
  [
    'letters of another script in the description',
    'metadata_by_template',
    replace('0.75 USDC', '0.75 USD\u0421'),
  ],
  ['letters of another script in the symbol', 'token_symbol', { facts: { token: 'USD\u0421' } }],
  ['a mark in front of the metadata', 'metadata_by_template', replace('{', '\ufeff{')],
  ['a name that occurs twice', 'metadata_by_template', replace('{', '{"name":"Invoice",')],
  [
    'a value changed in the metadata and not in the image',
    'picture_of_facts',
    {
      ...replace('"Value in USD","value":"0.75"', '"Value in USD","value":"0.76"'),
      image: (_digest) => drawReceipt(base()),
    },
  ],
  [
    'an NFT that takes royalties',
    'leaf_computed',
    { minted: { nft: { sellerFeeBasisPoints: 500 } } },
  ],
  ['an NFT that can be changed', 'leaf_computed', { minted: { nft: { isMutable: true } } }],
  ['an NFT of another symbol', 'leaf_computed', { minted: { nft: { symbol: 'USDC' } } }],
  [
    'an NFT without a verified creator',
    'creator_ours',
    {
      minted: {
        nft: { creators: [{ address: publicKey(stranger), verified: false, share: 100 }] },
      },
    },
  ],
  ['a tree of the issuer in which another one mints', 'creator_ours', { by: 'another minter' }],
  [
    'files of two types',
    'files_tagged',
    { minted: { tags: [{ name: 'Content-Type', value: 'text/html' }] } },
  ],
  ['keys that ended a second earlier', 'creator_ours', keysEnded(TEN_MINUTES + 1_000)],
  ['keys that were revoked a second before the mint', 'creator_ours', keysEnded(1_000, true)],
  ['an NFT that was burnt and minted once more', 'only_one', { twice: true, also: 'unique' }],
];

const TABLE: [verdict: Verdict, forgeries: Forgery[]][] = [
  ['genuine', GENUINE],
  ['not genuine', FORGED],
];

let base: () => ReceiptFacts;
const results = new Map<string, { verdict: Verdict; faults: string[] }>();
/** Mints at once: more would wait so long for each other that their transactions expire. */
const AT_ONCE = 4;

async function forgeAll(rpcUrl: string): Promise<void> {
  const rpc = createRpc({ urls: [rpcUrl], timeoutMs: 20_000 });
  const [payer, seller] = [makeWallet(), makeWallet()];
  await fundWallet(rpcUrl, { wallet: payer.address, sol: 1, token: 'USDC', amount: '10' });
  const paid = { from: payer, to: seller.address, token: 'USDC', amount: 750_000n } as const;
  const signature = await payToken(rpcUrl, paid);
  const payment = await readTransfer({ rpc, network: 'local', signature });
  if (!payment.ok) throw new Error(payment.detail);
  const { finality, feePayer, memos, references, ...transfer } = payment.transfer;
  void [finality, feePayer, memos, references];
  const issuedAt = new Date();
  base = () =>
    makeFacts({
      ...transfer,
      otherLegs: legsOf(payment.transfer),
      beside: besideOf(payment.transfer),
      txSignature: signature,
      network: 'local',
      serviceType: LABEL,
      issuedAt,
    });
  const place = { publicUrl: base().publicUrl, depth: 14, buffer: 64 };
  const [ours, other] = await Promise.all([openIssuer(rpcUrl, place), openIssuer(rpcUrl, place)]);

  async function mint(forge: Forge): Promise<ReceiptEvidence> {
    // Each in a tree of its own where its trees are searched.
    const own = forge.also === 'unique' ? await openIssuer(rpcUrl, place) : ours;
    const facts = { ...base(), ...forge.facts };
    const text = forge.text ?? ((metadata: string) => metadata);
    const write = (uri: string) =>
      Buffer.from(text(new TextDecoder().decode(describeReceipt(facts, uri))));
    const digest = factsDigest(
      Buffer.from(
        write('')
          .toString()
          .replace(/^\ufeff/, ''),
      ),
    );
    const wish: Issued = {
      owner: payer.address,
      name: receiptName(facts),
      image: await (forge.image?.(digest) ?? drawAs(facts, digest)),
      describe: write,
      ...forge.minted,
    };
    const minted = await (forge.by ? other : own).issue(wish);
    const again = forge.twice ? await own.issue(wish) : minted;
    const document = forge.by
      ? {
          ...other.document,
          creators: ours.document.creators,
          trees: [...ours.document.trees, ...other.document.trees],
        }
      : own.document;
    const seen = await seeAgain(rpcUrl, again);
    const evidence = { ...seen, issuer: document, receiptId: facts.receiptId, payment };
    return { ...evidence, ...forge.shown?.(evidence) };
  }

  async function judge(forge: Forge) {
    const evidence = await mint(forge);
    const lines = checkReceipt(evidence);
    const bytes = evidence.metadata.bytes;
    if (forge.also === 'redraw')
      lines.push(
        await checkDrawn({
          reading: sheetOfReceipt({ metadata: bytes, payment, network: 'local' }),
          metadata: bytes,
          image: evidence.image.bytes,
          mintedAt: mintTime(evidence),
          drawing: { ok: true, draw: drawHere, drawnWith: drawnWith('node_modules') },
        }),
      );
    if (forge.also === 'unique')
      lines.push(
        await lookForSecond({
          rpc: readNode(rpcUrl),
          trees: evidence.issuer.trees.map(({ address }) => address),
          leaf: findLeaf(evidence),
          txSignature: signature,
          fetchStored: null,
        }),
      );
    const faults = lines.flatMap(({ id, outcome }) => (outcome === 'held' ? [] : [id]));
    return { verdict: verdictOf(lines), faults };
  }

  const waiting = TABLE.flatMap(([, forgeries]) => forgeries).values();
  const work = async (): Promise<void> => {
    for (const [what, , forge] of waiting) results.set(what, await judge(forge));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** The true image of facts, with the digest of the metadata. */
function drawAs(facts: ReceiptFacts, digest: string): Promise<Uint8Array> {
  return drawReceipt(facts, (sheet) => drawHere(sheet, { [FACTS_KEY]: digest }));
}

beforeAll(() => onChain(forgeAll), 300_000);

describe.each(TABLE)('a receipt is %s:', (verdict, forgeries) => {
  test.each(forgeries)('%s (%s)', (what, line) => {
    const result = results.get(what);
    expect(result, JSON.stringify(result)).toMatchObject({ verdict });
    if (line === '') expect(result?.faults).toEqual([]);
    else expect(result?.faults).toContain(line);
  });
});
