import {
  createAssociatedTokenAccountIdempotentInstruction,
  createTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
} from '@solana/spl-token';
import {
  ComputeBudgetProgram,
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  type TransactionInstruction,
} from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestChain, type TestChain } from '@/devnet/chain/testing/test-chain';
import { TOKENS } from '@/devnet/client/pay-token';
import { readTokenAccount } from '@/devnet/chain/token-state';
import { createRpc } from '@/server/chain/rpc';
import { RATE_RULE } from '@/server/rates/find-rate';
import type { Env } from '@/server/env';
import { trusted } from '@/server/trusted';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { buildRows } from './build-rows';
import type { StatementList } from './frozen-list';
import { selectScanned } from './select-transactions';
import type { StatementRow } from '@quittance/verify/statements/statement-rows';

/** Wallets that pay each other, and how many transactions they make. */
const WALLETS = 6;
const TRANSACTIONS = 90;
const TOKEN_NAMES = ['USDC', 'PYUSD', 'EURC'] as const;
type TokenName = (typeof TOKEN_NAMES)[number];

let chain: TestChain;
let database: TestDatabase;
const wallets = Array.from({ length: WALLETS }, () => Keypair.generate());
const failed: { signature: string; feePayer: string }[] = [];

/** The same numbers in every run: a failure can be repeated. */
let seed = 20261129;
function random(below: number): number {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((seed / 2 ** 32) * below);
}

beforeAll(async () => {
  database = await createTestDatabase();
  chain = await startTestChain({ stopped: true, finalityLag: 4 });
  for (const { publicKey } of wallets) {
    const wallet = publicKey.toBase58();
    await chain.post('/faucet', { wallet, sol: 5 });
    for (const token of TOKEN_NAMES) await chain.post('/faucet', { wallet, token, amount: '500' });
  }
  await chain.post('/_faults', {
    transferFee: { mint: TOKENS.PYUSD.mint, basisPoints: 250 },
  });
  await chain.slots(2);
  for (let n = 0; n < TRANSACTIONS; n += 1) {
    await happen(n);
    // Several transactions of a slot, and several slots of a second.
    if (random(3) === 0) await chain.slots(1);
  }
  await chain.slots(20);
  const day = new Date(
    `${new Date(chain.chain.now() * 1000).toISOString().slice(0, 10)}T00:00:00Z`,
  );
  for (const [quote, usdRate] of [
    ['SOL', '150.25'],
    ['EUR', '1.0875'],
  ] as const)
    for (const at of [0, -1, 1])
      await database.prisma.rate.create({
        data: {
          quote,
          base: quote,
          rate: '1',
          usdRate,
          source: 'a test',
          final: true,
          rule: RATE_RULE,
          fetchedAt: new Date(),
          day: new Date(day.getTime() + at * 86_400_000),
          publishedOn: new Date(day.getTime() + at * 86_400_000),
        },
      });
});
afterAll(async () => {
  await chain.close();
  await database.close();
});

const accountOf = (token: TokenName, owner: PublicKey) =>
  getAssociatedTokenAddressSync(
    new PublicKey(TOKENS[token].mint),
    owner,
    true,
    TOKENS[token].program,
  );
function give(token: TokenName, from: Keypair, to: PublicKey, amount: bigint) {
  const { mint, program } = TOKENS[token];
  const key = new PublicKey(mint);
  const [source, target] = [accountOf(token, from.publicKey), accountOf(token, to)];
  return [
    createAssociatedTokenAccountIdempotentInstruction(from.publicKey, target, to, key, program),
    createTransferCheckedInstruction(source, key, target, from.publicKey, amount, 6, [], program),
  ];
}
const giveSol = (from: Keypair, to: PublicKey, lamports: number) => [
  SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: to, lamports }),
];

async function send(n: number, signers: Keypair[], instructions: TransactionInstruction[]) {
  const [payer] = signers;
  if (!payer) throw new RangeError('somebody pays');
  const transaction = new Transaction({
    feePayer: payer.publicKey,
    ...chain.chain.latestBlockhash(),
    // Two equal payments in one slot would be one transaction.
  }).add(ComputeBudgetProgram.setComputeUnitLimit({ units: 300_000 + n }), ...instructions);
  transaction.sign(...signers);
  return chain.send(transaction.serialize(), { skipPreflight: true });
}

/** One of the things that wallets do, at random. */
async function happen(n: number): Promise<void> {
  const shuffled = [...wallets].sort(() => random(3) - 1);
  const [a, b, c, d] = shuffled;
  if (!a || !b || !c || !d) throw new RangeError('there are four wallets');
  const token = TOKEN_NAMES[random(3)] ?? 'USDC';
  const amount = BigInt(20_000 + random(9_000_000));
  const kinds: (() => [Keypair[], TransactionInstruction[]])[] = [
    () => [[a], give(token, a, b.publicKey, amount)],
    () => [[a], giveSol(a, b.publicKey, 100_000 + random(90_000_000))],
    // A marketplace's cut.
    () => [
      [a],
      [...give(token, a, b.publicKey, amount * 17n), ...give(token, a, c.publicKey, amount * 3n)],
    ],
    // A batch payout in equal parts.
    () => [[a], [b, c, d].flatMap((one) => give(token, a, one.publicKey, amount))],
    // SOL in addition to a token, to another wallet.
    () => [[a], [...giveSol(a, b.publicKey, 30_000_000), ...give('USDC', a, c.publicKey, amount)]],
    // Two tokens to one.
    () => [[a], [...give('USDC', a, b.publicKey, amount), ...give('EURC', a, b.publicKey, amount)]],
    // A swap.
    () => [
      [a, b],
      [...give('USDC', a, b.publicKey, amount), ...giveSol(b, a.publicKey, 40_000_000)],
    ],
    // Two payers.
    () => [
      [a, b],
      [...give('USDC', a, c.publicKey, amount), ...give('USDC', b, c.publicKey, amount)],
    ],
    // Less than a cent, together with a payment and alone.
    () => [[a], [...give('USDC', a, b.publicKey, 5_000n), ...give('USDC', a, c.publicKey, amount)]],
    () => [[a], give('USDC', a, b.publicKey, 1n)],
    // To oneself.
    () => [[a], giveSol(a, a.publicKey, 1_000_000)],
    // More than there is: it fails, and costs its fee.
    () => [[a], give('USDC', a, b.publicKey, 10n ** 15n)],
  ];
  const at = n % kinds.length;
  const [signers, instructions] = kinds[at]?.() ?? [[], []];
  const { result, error } = await send(n, signers, instructions);
  expect(error).toBeUndefined();
  if (at === kinds.length - 1)
    failed.push({ signature: String(result), feePayer: a.publicKey.toBase58() });
}

const context = () => ({
  db: database.prisma,
  env: trusted<Env>({ network: 'local' }, 'every price is kept, so that no source is asked'),
  rpc: createRpc({ urls: [chain.url], timeoutMs: 30_000 }),
  clock: { now: () => new Date(chain.chain.now() * 1000) },
});

async function stateOf(wallet: string): Promise<{ list: StatementList; rows: StatementRow[] }> {
  const now = chain.chain.now() * 1000;
  const period = { from: new Date(now - 86_400_000), until: new Date(now + 60_000) };
  const list = await selectScanned(context(), { wallet, period, minMicros: 10_000n });
  return { list, rows: await buildRows(context(), { wallet, list }) };
}

/**
 * The final balances of a wallet, by mint; it began with nothing. SOL includes its token accounts'
 * rent.
 */
function heldBy(owner: PublicKey): Map<string | null, bigint> {
  const held = new Map<string | null, bigint>();
  let lamports = chain.chain.get(owner.toBase58())?.lamports ?? 0n;
  for (const token of TOKEN_NAMES) {
    const account = chain.chain.get(accountOf(token, owner).toBase58());
    held.set(TOKENS[token].mint, readTokenAccount(account)?.amount ?? 0n);
    lamports += account?.lamports ?? 0n;
  }
  return held.set(null, lamports);
}

describe('rows, skipped and left out of every wallet', () => {
  it('add up to what the chain says it holds, in every token', async () => {
    const listed = new Set<string>();
    for (const { publicKey } of wallets) {
      const wallet = publicKey.toBase58();
      const { list, rows } = await stateOf(wallet);
      expect(list.complete).toBe(true);
      const sums = new Map<string | null, bigint>();
      const add = (mint: string | null, raw: bigint) =>
        sums.set(mint, (sums.get(mint) ?? 0n) + raw);
      for (const row of rows) {
        listed.add(row.txSignature);
        add(row.mint, row.role === 'payer' ? -row.amountSentRaw : row.amountRaw);
      }
      // Nobody paid through an exchange: nothing is left to be explained by one.
      expect(Object.keys(list.changes?.leftOut ?? {})).not.toContain('exchanged');
      for (const changes of [list.changes?.skipped ?? {}, list.changes?.leftOut ?? {}])
        for (const { mint, raw } of Object.values(changes).flat()) add(mint, raw);
      for (const { signature, feePayer } of failed)
        if (feePayer === wallet) expect(list.skipped['transaction_failed']).toContain(signature);
      expect(sums, wallet).toEqual(heldBy(publicKey));
      const skipped = Object.values(list.skipped).flat();
      for (const signature of skipped) listed.add(signature);
    }
    // Every movement is in somebody's statement.
    for (const signature of chain.chain.txs.keys()) expect(listed).toContain(signature);
  });

  it('are in the order of the chain, by slot, position in the block and leg', async () => {
    const place = new Map([...chain.chain.txs.keys()].map((signature, at) => [signature, at]));
    let isAnySlotShared = false;
    for (const { publicKey } of wallets) {
      const { rows } = await stateOf(publicKey.toBase58());
      const places = rows.map(
        ({ txSignature, leg }) => (place.get(txSignature) ?? -1) * 100 + (leg ?? 0),
      );
      expect(places).toEqual([...places].sort((a, b) => a - b));
      isAnySlotShared ||= rows.some((row, at) => {
        const before = rows[at - 1];
        return before?.slot === row.slot && before.txSignature !== row.txSignature;
      });
    }
    expect(isAnySlotShared).toBe(true);
  });

  it('of a payer and of its receivers say the same about each leg', async () => {
    const legs = new Map<string, Set<string>>();
    for (const { publicKey } of wallets) {
      const { rows } = await stateOf(publicKey.toBase58());
      for (const row of rows) {
        const key = `${row.txSignature} ${row.leg}`;
        const said = [row.mint, row.amountRaw, row.amountSentRaw, row.usdMicros].join(' ');
        legs.set(key, (legs.get(key) ?? new Set()).add(said));
      }
    }
    expect(legs.size).toBeGreaterThan(TRANSACTIONS);
    for (const [leg, said] of legs) expect([leg, said.size]).toEqual([leg, 1]);
  });
});
