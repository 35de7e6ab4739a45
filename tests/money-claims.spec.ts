import { Connection, PublicKey, TransactionMessage, VersionedTransaction } from '@solana/web3.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { memoryWrite } from '@/devnet/chain/testing/lighthouse-instructions';
import { tokenBalance } from './harness/make-payment';
import { signOffer, type Version } from './harness/sign-offer';
import { sharedService } from './harness/shared-service';
import type { TestService } from './harness/start-service';
import { makeSale, offerOf } from './harness/use-payments';
import { mint, type Answer } from './harness/use-service';
import { z } from 'zod';
import type { Wallet } from '@/devnet/client/wallet';

let service: TestService;
beforeAll(async () => {
  service = await sharedService();
});

const extra = z.object({
  accepts: z.tuple([z.object({ extra: z.object({ feePayer: z.string() }) })]),
});
const feePayerOf = ({ body }: Answer) => new PublicKey(extra.parse(body).accepts[0].extra.feePayer);
const lamports = (address: PublicKey) =>
  new Connection(service.rpcUrl, 'processed').getBalance(address);

const carried = z.looseObject({ payload: z.object({ transaction: z.string() }) });

/**
 * A client's payment with Lighthouse memory accounts for its memo, whose rent the fee payer would
 * pay.
 */
async function withMemories(o: {
  headers: Record<string, string>;
  from: Wallet;
  feePayer: PublicKey;
  count: number;
}): Promise<Record<string, string>> {
  const [name, value] = Object.entries(o.headers)[0] ?? ['', ''];
  const json = carried.parse(JSON.parse(Buffer.from(value, 'base64').toString()));
  const wire = Buffer.from(json.payload.transaction, 'base64');
  const decompiled = TransactionMessage.decompile(VersionedTransaction.deserialize(wire).message);
  decompiled.instructions.splice(
    3,
    1,
    ...Array.from({ length: o.count }, (_, id) => memoryWrite(o.feePayer, id)),
  );
  const forged = new VersionedTransaction(decompiled.compileToV0Message());
  forged.sign([o.from.keypair]);
  const transaction = Buffer.from(forged.serialize()).toString('base64');
  const header = Buffer.from(JSON.stringify({ ...json, payload: { transaction } }));
  return { [name]: header.toString('base64') };
}

describe('the fee payer', () => {
  it.each<[Version, number]>([
    ['v1', 3],
    ['v2', 4],
  ])(
    'pays no rent of accounts that a %s payment opens, and no fee for it',
    async (version, count) => {
      const { payer, signature } = await makeSale(service);
      const answer = await mint(service, { signature });
      const feePayer = feePayerOf(answer);
      const { payTo } = offerOf(answer);
      const before = await lamports(feePayer);
      const earned = await tokenBalance(service, payTo);
      const plain = await signOffer(service, { answer, from: payer, version });
      const headers = await withMemories({ headers: plain, from: payer, feePayer, count });
      const refused = await mint(service, { signature, headers });
      expect([refused.status, refused.body['code'], refused.body['reason']]).toEqual([
        402,
        'payment_invalid',
        'invalid_exact_svm_payload_fee_payer_in_instruction',
      ]);
      expect(await lamports(feePayer)).toBe(before);
      expect(await tokenBalance(service, payTo)).toBe(earned);
      expect(await service.prisma.payment.count({ where: { payer: payer.address } })).toBe(0);
      expect(await service.prisma.receipt.count({ where: { txSignature: signature } })).toBe(0);
    },
  );

  it.each<Version>(['v1', 'v2'])(
    'pays 22,000 lamports at most for a %s payment',
    async (version) => {
      const { payer, signature } = await makeSale(service);
      const answer = await mint(service, { signature });
      const feePayer = feePayerOf(answer);
      const before = await lamports(feePayer);
      const headers = await signOffer(service, { answer, from: payer, version });
      const bought = await mint(service, { signature, headers });
      expect(bought.status, JSON.stringify(bought.body)).toBe(200);
      const cost = before - (await lamports(feePayer));
      expect(cost).toBeGreaterThan(0);
      expect(cost).toBeLessThanOrEqual(22_000);
    },
  );
});
