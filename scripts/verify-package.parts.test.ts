import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ReceiptBeside } from '@quittance/verify/receipts/receipt-beside';
import type { ProofDocument } from '@quittance/verify/receipts/proof-document';
import { describeReceipt } from '@/server/receipts/describe-receipt';
import { drawReceipt } from '@/server/receipts/draw-receipt';
import { makeFacts } from '@/server/receipts/facts.fixture';
import { makeEmbeddedKey, publicKeyOf } from '@/server/keys';
import { signByHand } from '@/server/storage/sign-by-hand.fixture';

const NOTHING_BESIDE: ReceiptBeside = {
  payerKind: 'wallet',
  sellerKind: 'wallet',
  leftOut: [],
  goods: [],
  change: [],
  paidWith: [],
  prices: [],
};

const packed = z.array(z.object({ filename: z.string() }));

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'quittance-pack-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** A copy of the package in a new folder, with files of another time and mode. */
function copyPackage(name: string): string {
  const source = join(dir, name, 'packages/verify');
  mkdirSync(source, { recursive: true });
  cpSync('packages/verify', source, { recursive: true, filter: (path) => !path.endsWith('/dist') });
  for (const file of ['package.json', 'LICENSE', 'README.md']) chmodSync(join(source, file), 0o600);
  symlinkSync(resolve('node_modules'), join(source, '../../node_modules'));
  return source;
}

/**
 * Builds the package and installs it from the service's download, like a user without the
 * repository.
 */
function installElsewhere(): { files: string[]; bin: string } {
  const source = copyPackage('source');
  execFileSync(process.execPath, ['build.mjs'], { cwd: source });
  const archive = join(source, 'dist/quittance-verify.tgz');
  const listed = execFileSync('tar', ['tzf', archive], { encoding: 'utf8' });
  const empty = join(dir, 'empty');
  mkdirSync(empty);
  writeFileSync(join(empty, 'package.json'), '{"private":true}');
  execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', archive], { cwd: empty });
  return {
    files: listed.trim().split('\n').sort(),
    bin: join(empty, 'node_modules/.bin/quittance-verify'),
  };
}

/** The proof of a receipt, with only its files, and an issuer's document. */
async function writeProof(folder: string): Promise<void> {
  const facts = makeFacts({ beside: NOTHING_BESIDE });
  const secret = makeEmbeddedKey();
  const key = { secret, publicKey: publicKeyOf(secret) };
  const fileOf = (data: Uint8Array, contentType: string) => {
    const { id, raw } = signByHand({ key, data, contentType, tags: [], anchorSeed: contentType });
    const item = Buffer.from(raw).toString('base64');
    return { item_id: id, uri: `https://gateway.example/${id}`, sha256: '', item };
  };
  const image = fileOf(await drawReceipt(facts), 'image/png');
  const words = { owner: '', delegate: '', data_hash: '', creator_hash: '', collection_hash: '' };
  const leaf = { ...words, asset_data_hash: '', hash: '', nonce: 0, flags: 0 };
  const proof: ProofDocument = {
    success: true,
    network: 'mainnet',
    issuer_url: '',
    metadata: fileOf(describeReceipt(facts, image.uri), 'application/json'),
    image,
    mint_signature: '',
    asset_id: '',
    tree: '',
    leaf_index: 0,
    creator: '',
    leaf,
    holder: null,
    root: null,
    proof: null,
    receipt_id: facts.receiptId,
    tx_signature: facts.txSignature,
  };
  const lists = { creators: [], storage_keys: [], trees: [], collections: [] };
  const issuer = { service: 'quittance', network: 'mainnet', url: facts.publicUrl, ...lists };
  for (const [name, content] of Object.entries({ proof, issuer }))
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(content));
}

describe('the package of the offline verifier', () => {
  it('runs in an empty folder without a network, without dependencies, and draws if its canvas is installed', async () => {
    const { files, bin } = installElsewhere();
    expect(files.map((path) => path.replace(/^package\//, ''))).toEqual([
      ...['LICENSE', 'README.md', 'dist/quittance-verify-redraw.mjs', 'dist/quittance-verify.mjs'],
      'package.json',
    ]);
    expect(
      readdirSync(join(dir, 'empty/node_modules')).filter((name) => !name.startsWith('.')),
    ).toEqual(['@quittance']);
    const help = execFileSync(bin, ['--help'], { cwd: join(dir, 'empty'), encoding: 'utf8' });
    expect(help).toContain('quittance-verify <proof> [--issuer <keys>] --rpc <url>');
    const manifest: unknown = JSON.parse(readFileSync('packages/verify/package.json', 'utf8'));
    expect(manifest).not.toHaveProperty('dependencies');

    await writeProof(join(dir, 'empty'));
    const refused = (...args: string[]) => spawnSync(bin, args, { encoding: 'utf8' });
    expect(refused('proof.json')).toMatchObject({
      status: 64,
      stderr: expect.stringMatching(/^Name a Solana node with --rpc <url>/) as string,
    });
    expect(refused('--rpc', 'none').stderr).toMatch(/^Name one proof: /);
    const redraw = () =>
      spawnSync(bin, ['proof.json', '--issuer', 'issuer.json', '--rpc', 'none', '--redraw'], {
        cwd: join(dir, 'empty'),
        encoding: 'utf8',
      }).stdout;
    expect(redraw()).toMatch(/unknown {2}picture_redrawn .*\n.*the image cannot be drawn here/);
    for (const name of ['@napi-rs', '@fontsource'])
      symlinkSync(resolve('node_modules', name), join(dir, 'empty/node_modules', name));
    expect(redraw()).toMatch(/held {5}picture_redrawn /);
  }, 120_000);

  it('has the files that npm pack would include, in the same bytes wherever it is built', () => {
    const source = copyPackage('again');
    const json = execFileSync('npm', ['pack', '--json', '--pack-destination', dir], {
      cwd: source,
      encoding: 'utf8',
    });
    const [one] = packed.parse(JSON.parse(json.slice(json.indexOf('[\n'))));
    const [byUs, byNpm] = ['ours', 'npms'].map((name) => join(dir, name));
    const ours = join(source, 'dist/quittance-verify.tgz');
    unpack(ours, byUs ?? '');
    unpack(join(dir, one?.filename ?? ''), byNpm ?? '');
    execFileSync('diff', ['--recursive', byUs ?? '', byNpm ?? '']);
    const first = join(dir, 'source/packages/verify/dist/quittance-verify.tgz');
    expect(readFileSync(ours).equals(readFileSync(first))).toBe(true);
  }, 120_000);
});

function unpack(archive: string, into: string): void {
  mkdirSync(into);
  execFileSync('tar', ['xzf', archive, '-C', into]);
}
