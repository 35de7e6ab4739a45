import {
  AuthorityType,
  createApproveInstruction,
  createAssociatedTokenAccountInstruction,
  createCloseAccountInstruction,
  createSetAuthorityInstruction,
  createSyncNativeInstruction,
} from '@solana/spl-token';
import {
  ComputeBudgetProgram,
  Ed25519Program,
  Keypair,
  PublicKey,
  SystemProgram,
  SYSVAR_CLOCK_PUBKEY,
  Transaction,
  TransactionInstruction,
} from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  assertLamports,
  lighthouse,
  memoryClose,
  memoryOf,
  memoryWrite,
} from '@/devnet/chain/testing/lighthouse-instructions';
import { MEMO_PROGRAMS } from '@quittance/verify/chain/programs';
import { budget, followedBy, plain, present, REASONS, refusedFor } from './attacks.fixture';
import {
  makePayment,
  memo,
  payload,
  startShop,
  tokenAccount,
  USDC,
  type Shop,
} from './exact.fixture';
import { settleExact, signExact } from './settle-exact';
import { verifyExact } from './verify-exact';

let shop: Shop;
const stranger = Keypair.generate().publicKey;
beforeAll(async () => {
  shop = await startShop();
});
afterAll(() => shop.close());

type Attack = [name: string, reason: string, instructions: () => TransactionInstruction[]];
const { named, notAllowed, unknown } = REASONS;
const payer = () => shop.payer.publicKey;

const LIGHTHOUSE_ATTACKS: Attack[] = [
  [
    'memories at the expense of the fee payer',
    named,
    () => [0, 1, 2].map((id) => memoryWrite(shop.feePayer, id)),
  ],
  ['a memory at the expense of the payer', notAllowed, () => [memoryWrite(payer(), 0)]],
  ['the end of a memory of the fee payer', named, () => [memoryClose(shop.feePayer, 0)]],
  ['the end of a memory of the payer', notAllowed, () => [memoryClose(payer(), 0)]],
  [
    'a write into a memory of the fee payer that does not name it',
    notAllowed,
    () => [lighthouse([0, 0, 255], [plain(memoryOf(shop.feePayer, 0).address)])],
  ],
  ['an assertion about the fee payer', named, () => [assertLamports(shop.feePayer, 1n)]],
  ['an assertion that calls another program', notAllowed, () => [lighthouse([16, 0], [])]],
  [
    'an assertion about the clock',
    notAllowed,
    () => [lighthouse([15, 0, 0, ...Buffer.alloc(8), 4], [])],
  ],
  ...[7, 8, 11, 12, 13, 14, 17].map((tag): Attack => [
    `an assertion ${tag}, which no payer's account can meet`,
    notAllowed,
    () => [lighthouse([tag, 0], [plain(payer())])],
  ]),
  ...[3, 6, 7].map((level): Attack => [
    `an assertion with log level ${level}, which calls another program or is none`,
    notAllowed,
    () => [lighthouse([5, level, 0, ...Buffer.alloc(8), 4], [plain(payer())])],
  ]),
  ...[2, 3, 4, 5, 6, 9, 10].flatMap((tag): Attack[] => [
    [
      `an assertion ${tag} about the clock's account`,
      notAllowed,
      () => [lighthouse([tag, 0], [plain(SYSVAR_CLOCK_PUBKEY)])],
    ],
    [
      `an assertion ${tag} about the payer and the supply of the token`,
      notAllowed,
      () => [lighthouse([tag, 0], [plain(payer()), plain(USDC)])],
    ],
  ]),
  ['a guard of no known kind', notAllowed, () => [lighthouse([18, 0], [])]],
  ['a guard without a log level', notAllowed, () => [lighthouse([5], [plain(payer())])]],
  ['a guard without data', notAllowed, () => [lighthouse([], [])]],
];

// The library knows v3 alone, so its word comes first for the others.
const MEMO_ATTACKS: Attack[] = Object.entries(MEMO_PROGRAMS).flatMap(
  ([version, program]): Attack[] => [
    [
      `a memo ${version} signed by the fee payer`,
      version === 'v3' ? named : unknown,
      () => [memo('x', [shop.feePayer], program)],
    ],
    [
      `a memo ${version} about a stranger`,
      version === 'v3' ? notAllowed : unknown,
      () => [
        new TransactionInstruction({
          programId: new PublicKey(program),
          keys: [plain(stranger)],
          data: Buffer.from('x'),
        }),
      ],
    ],
  ],
);

const OTHER_PROGRAMS: Attack[] = [
  [
    'SOL of the fee payer',
    unknown,
    () => [
      SystemProgram.transfer({
        fromPubkey: shop.feePayer,
        toPubkey: stranger,
        lamports: 100_000_000,
      }),
    ],
  ],
  [
    'the fee payer’s account given to another program',
    unknown,
    () => [SystemProgram.assign({ accountPubkey: shop.feePayer, programId: new PublicKey(USDC) })],
  ],
  ['a token account at the expense of the fee payer', unknown, () => [openAccount(shop.feePayer)]],
  ['a token account at the expense of the payer', unknown, () => [openAccount(payer())]],
  [
    'the end of a token account, its rent to the fee payer',
    unknown,
    () => [createCloseAccountInstruction(tokenAccount(payer()), shop.feePayer, payer())],
  ],
  [
    'the fee payer as delegate of the payer',
    unknown,
    () => [createApproveInstruction(tokenAccount(payer()), shop.feePayer, payer(), 1n)],
  ],
  [
    'the fee payer as new owner of the payer’s account',
    unknown,
    () => [
      createSetAuthorityInstruction(
        tokenAccount(payer()),
        payer(),
        AuthorityType.AccountOwner,
        shop.feePayer,
      ),
    ],
  ],
  ['a sync of wrapped SOL', unknown, () => [createSyncNativeInstruction(tokenAccount(payer()))]],
  [
    'a second compute limit',
    unknown,
    () => [ComputeBudgetProgram.setComputeUnitLimit({ units: 1_400_000 })],
  ],
  [
    'a second compute price',
    unknown,
    () => [ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1_000_000_000 })],
  ],
  ['a heap frame', unknown, () => [ComputeBudgetProgram.requestHeapFrame({ bytes: 262_144 })]],
  ['a limit of loaded data', unknown, () => [budget([4, 0, 0, 16, 0])]],
  [
    'signatures that the network checks for a fee each',
    unknown,
    () => [
      Ed25519Program.createInstructionWithPrivateKey({
        privateKey: Keypair.generate().secretKey,
        message: Buffer.from('x'),
      }),
    ],
  ],
];

describe.each([1, 2] as const)(
  'version %i: the service neither signs nor pays for a payment',
  (version) => {
    const attacks = [...LIGHTHOUSE_ATTACKS, ...MEMO_ATTACKS, ...OTHER_PROGRAMS];

    it.each(attacks)('with %s', async (_, reason, instructions) => {
      const wire = makePayment(shop, followedBy(...instructions()));
      expect(await present(shop, version, wire)).toEqual(refusedFor(reason));
    });

    it.each(attacks)('in a legacy message with %s', async (_, reason, instructions) => {
      const wire = makePayment(shop, { legacy: true, ...followedBy(...instructions()) });
      expect(await present(shop, version, wire)).toEqual(refusedFor(reason));
    });

    // The library stops at a memo that it does not know. No instruction after the memo may escape the
    // check.
    it.each(attacks)('with a memo v4, then %s', async (_, _reason, instructions) => {
      const first = memo('x', [], MEMO_PROGRAMS.v4);
      const wire = makePayment(shop, followedBy(first, ...instructions().slice(0, 2)));
      expect(await present(shop, version, wire)).toEqual(refusedFor(unknown));
    });
  },
);

it('four memories of Lighthouse, 0.2887 SOL of rent, are not paid by the fee payer', async () => {
  const writes = [0, 1, 2, 3].map((id) => memoryWrite(shop.feePayer, id));
  const largest = { units: 120_000, microLamports: 100_000 };
  const wire = makePayment(shop, { ...largest, ...followedBy(...writes) });
  expect(await present(shop, 2, wire)).toEqual(refusedFor(named));
});

it('a payment that its payer makes fail costs the network fee alone, and counts as failed', async () => {
  const { chain, parts, quote } = shop;
  const cheat = await chain.wallet({ sol: 1, token: 'USDC', amount: '1' });
  const guard = assertLamports(cheat.publicKey, 900_000_000n);
  const wire = makePayment(shop, { payer: cheat, ...followedBy(guard) });
  const paymentPayload = payload(2, wire);
  const seen = await verifyExact({ version: 2, paymentPayload, quote }, parts);
  if (!seen.ok) throw new Error(seen.detail);
  const away = new Transaction({
    feePayer: cheat.publicKey,
    ...chain.chain.latestBlockhash(),
  }).add(
    SystemProgram.transfer({
      fromPubkey: cheat.publicKey,
      toPubkey: stranger,
      lamports: 500_000_000,
    }),
  );
  away.sign(cheat);
  await chain.send(away.serialize());
  await chain.slots(2);
  const lamports = () => chain.chain.get(shop.feePayer.toBase58())?.lamports ?? 0n;
  const before = lamports();
  const signed = await signExact({ wire: seen.wire }, parts);
  // The reason that the budget of a day counts: see cool-down.ts.
  expect(await settleExact({ ...signed, waitMs: 10_000 }, parts)).toEqual({
    state: 'failed',
    reason: 'transaction_failed',
  });
  expect(before - lamports()).toBeGreaterThan(0n);
  expect(before - lamports()).toBeLessThanOrEqual(22_000n);
});

function openAccount(by: PublicKey): TransactionInstruction {
  const owner = Keypair.generate().publicKey;
  return createAssociatedTokenAccountInstruction(by, tokenAccount(owner), owner, USDC);
}
