import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { makeWallet, type Wallet } from '@/devnet/client/wallet';
import { addMint } from '@/server/nft/minting.fixture';
import { trusted } from '@/server/trusted';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import type { Call } from '../call';
import { retryStatement } from './retry-statement';

const NOW = new Date('2026-11-28T12:00:00Z');
const HOUR_MS = 3_600_000;
const ago = (ms: number) => new Date(NOW.getTime() - ms);
const OWNER = makeWallet();
const STATEMENT = 'STMT0A1B2C3D';
const startMint = vi.fn();

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.prisma.statement.create({
    data: {
      id: STATEMENT,
      wallet: OWNER.address,
      mode: 'list',
      txCount: 1,
      totalUsdMicros: 1n,
      csvSha256: '',
      merkleRoot: '',
      complete: true,
      skipped: {},
      metadataItemId: 'metadata',
      imageItemId: 'image',
      createdAt: NOW,
    },
  });
});
afterAll(() => database.close());

/** The statement's mint failed so long ago, for this reason. */
async function failed(sinceMs: number, lastError: string): Promise<void> {
  startMint.mockClear();
  await database.prisma.auditEntry.deleteMany();
  await database.prisma.mint.deleteMany();
  const failure = { status: 'failed', attempts: 3, lastError, updatedAt: ago(sinceMs) } as const;
  await addMint(database.prisma, { id: STATEMENT, kind: 'statement', ...failure });
}

function retry(by: Wallet | null, text = `quittance:${STATEMENT}`, statement_id = STATEMENT) {
  const proof = { address: by?.address ?? null, signature: by?.signText(text) ?? null };
  const env = { serviceName: 'quittance', limits: null };
  return retryStatement(
    trusted<Call<{ statement_id: string }>>(
      {
        service: { db: database.prisma, clock: { now: () => NOW }, env, jobs: { startMint } },
        actor: { kind: 'anyone', proof },
        input: { statement_id },
      },
      'all that is read of a call',
    ),
  );
}

it('starts a failed statement again for its own wallet, with no attempts counted', async () => {
  await failed(HOUR_MS, 'storage: 10.0.0.7:3000 answered 422: no');
  expect(await retry(OWNER)).toMatchObject({
    receipt_id: STATEMENT,
    mint_status: 'pending',
    stage: 'stored',
    attempts: 0,
    last_error: null,
    updated_at: NOW.toISOString(),
  });
  const row = await database.prisma.mint.findUniqueOrThrow({ where: { id: STATEMENT } });
  expect([row.status, row.attempts, row.lastError]).toEqual(['pending', 0, null]);
  expect(startMint).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ id: STATEMENT }), 1);
  expect(await database.prisma.auditEntry.findMany()).toMatchObject([
    { action: 'mint.retry', actor: 'participant', subject: STATEMENT },
  ]);
});

it.each([
  ['one that failed less than an hour ago', HOUR_MS - 1, 'storage: no'],
  ['one whose fee payment is gone', 2 * HOUR_MS, 'payment_dropped'],
])('leaves %s as it is', async (_, sinceMs, lastError) => {
  await failed(sinceMs, lastError);
  expect(await retry(OWNER)).toMatchObject({ mint_status: 'failed', attempts: 3 });
  expect(startMint).not.toHaveBeenCalled();
});

it('is for the wallet of the statement alone, which signs the id of this statement', async () => {
  await failed(HOUR_MS, 'storage: no');
  const codes = await Promise.all(
    [
      retry(null),
      retry(makeWallet()),
      retry(OWNER, 'quittance:STMT0A1B2C3E'),
      retry(OWNER, 'quittance:STMT0A1B2C3E', 'STMT0A1B2C3E'),
    ].map((one) => one.then(JSON.stringify, (error: { code: string }) => error.code)),
  );
  expect(codes).toEqual([
    'wallet_proof_missing',
    'not_a_participant',
    'wallet_proof_invalid',
    'statement_not_found',
  ]);
  expect(startMint).not.toHaveBeenCalled();
});
