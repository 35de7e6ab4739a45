import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import type { ReceiptBeside } from '@quittance/verify/receipts/receipt-beside';
import { drawReceipt } from './draw-receipt';
import { makeFacts } from './facts.fixture';

/** A receipt of the newest template. Without anything, it would be one of the first. */
const NOTHING_BESIDE: ReceiptBeside = {
  payerKind: 'wallet',
  sellerKind: 'wallet',
  leftOut: [],
  goods: [],
  change: [],
  paidWith: [],
  prices: [],
};

/** Receipts whose images are the same wherever they are drawn on a processor of this kind. */
export const RECEIPTS = [
  makeFacts(),
  makeFacts({ serviceType: '十一月の購読料 ☕ 구독료', invoiceId: 'اشتراك १२३ ค่าสมาชิก' }),
  makeFacts({ network: 'local', serviceType: 'Оплата ἄλφα מנוי', invoiceId: '发票四十二' }),
  makeFacts({ beside: NOTHING_BESIDE }),
] as const;

/**
 * SHA-256 of their pixels on x64, in the form of the file; arm64 may differ by a shade at the edge
 * of a letter. A change of the drawing code that changes them needs a new template: raise
 * `TEMPLATE`, `STATEMENT_TEMPLATE` and the verifier's `FIRST_DRAWN` together. Otherwise the
 * verifier rejects images that were drawn before.
 */
export const GOLDEN = [
  'b0b87f315fe6db2ee941ed1808117aed4ee085189c4ba3abe48743d5c5a5e7b9',
  '1bffec0360c4bc86903a28197b53dfea48a3078ab65a11a5ea5a093b1526de78',
  '837e7c952010a8f9eb5d65a1b1203c7b0fddd24e929c8469cf0baa87f65e861f',
  '9a125b5d2ab5b995087362bcb6ef7518ddc6f5a62ad98802982e56be0e74d744',
] as const;

/** SHA-256 of an image and of its pixels, in the form of the file. */
export function hashesOf(image: Uint8Array): string {
  const bytes = Buffer.from(image);
  return [bytes, bytes.subarray(bytes.indexOf('IDAT'))]
    .map((part) => createHash('sha256').update(part).digest('hex'))
    .join(' ');
}

/** The hashes of images drawn one after the other by a new process of this Node. */
export async function inOtherProcess(numbers: readonly number[]): Promise<string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...['--import', 'tsx', 'server/receipts/golden.fixture.ts'],
    ...numbers.map(String),
  ]);
  return stdout.trim().split('\n');
}

if (process.argv[1]?.endsWith('golden.fixture.ts'))
  for (const number of process.argv.slice(2)) {
    const facts = RECEIPTS[Number(number)];
    if (facts === undefined) throw new RangeError(`no receipt ${number}`);
    process.stdout.write(`${hashesOf(await drawReceipt(facts))}\n`);
  }
