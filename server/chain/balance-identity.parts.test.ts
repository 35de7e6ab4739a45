import {
  createAssociatedTokenAccountInstruction,
  createInitializeMint2Instruction,
  createInitializeTransferFeeConfigInstruction,
  createMintToInstruction,
  ExtensionType,
  getMintLen,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token';
import {
  AddressLookupTableProgram,
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  type TransactionInstruction,
} from '@solana/web3.js';
import bs58 from 'bs58';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestChain, type TestChain } from '@/devnet/chain/testing/test-chain';
import { readMovements } from '@quittance/verify/chain/read-transfer';
import { happenings, KIND_NAMES, play, TIP } from './random-transactions.fixture';
import { ata, type RandomToken, type World } from './random-world.fixture';
import { rawTransactionSchema, type RawTransaction } from '@quittance/verify/chain/raw-transaction';
import { changesOf, sumOf } from '../../tests/harness/chain/balance-changes';

const USDC = new PublicKey('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const MILLION = 10n ** 12n;
/** Of a transaction without the count of its signatures. */
const MOST_BYTES = 1_231;

let chain: TestChain;
let world: World;

beforeAll(async () => {
  chain = await startTestChain({ stopped: true });
  const rich = () => chain.wallet({ sol: 10_000, token: 'USDC', amount: '1000000' });
  const wallets = [await rich(), await rich(), await rich(), await rich()];
  const [first] = wallets;
  if (!first) throw new Error('no wallet');
  const usdc = { mint: USDC, program: TOKEN_PROGRAM_ID, decimals: 6, authority: null };
  const tokens = [
    usdc,
    await makeToken(wallets, { program: TOKEN_PROGRAM_ID, feeBps: 0 }),
    await makeToken(wallets, { program: TOKEN_2022_PROGRAM_ID, feeBps: 400 }),
  ];
  await send([SystemProgram.transfer(toTip(first))], [first]);
  const [created, table] = AddressLookupTableProgram.createLookupTable({
    authority: first.publicKey,
    payer: first.publicKey,
    recentSlot: await slotOf(),
  });
  expect((await send([created], [first])).err).toBeNull();
  const program = (seed: string) =>
    PublicKey.findProgramAddressSync([Buffer.from(seed)], SystemProgram.programId)[0];
  world = { wallets, programs: [program('vault'), program('escrow')], tokens, table };
});
afterAll(() => chain.close());

const toTip = ({ publicKey }: Keypair) => ({
  fromPubkey: publicKey,
  toPubkey: TIP,
  lamports: 1_000_000_000,
});

async function slotOf(): Promise<number> {
  const { result } = await chain.call('getSlot', [{ commitment: 'finalized' }]);
  if (typeof result !== 'number') throw new Error('no slot');
  return result;
}

/** A token of which every wallet has a million. */
async function makeToken(
  wallets: readonly Keypair[],
  o: { program: PublicKey; feeBps: number },
): Promise<RandomToken> {
  const [authority] = wallets;
  if (!authority) throw new Error('no wallet');
  const { publicKey: payer } = authority;
  const mint = Keypair.generate();
  const space = getMintLen(o.feeBps > 0 ? [ExtensionType.TransferFeeConfig] : []);
  const token = { mint: mint.publicKey, program: o.program, decimals: 6, authority };
  const instructions = [
    SystemProgram.createAccount({
      fromPubkey: payer,
      newAccountPubkey: mint.publicKey,
      lamports: 10_000_000,
      space,
      programId: o.program,
    }),
    ...(o.feeBps > 0
      ? [
          createInitializeTransferFeeConfigInstruction(
            mint.publicKey,
            null,
            null,
            o.feeBps,
            MILLION,
            o.program,
          ),
        ]
      : []),
    createInitializeMint2Instruction(mint.publicKey, 6, payer, null, o.program),
  ];
  expect((await send(instructions, [authority, mint])).err).toBeNull();
  for (const { publicKey } of wallets) {
    const account = ata(publicKey, token);
    const minted = await send(
      [
        createAssociatedTokenAccountInstruction(
          payer,
          account,
          publicKey,
          mint.publicKey,
          o.program,
        ),
        createMintToInstruction(mint.publicKey, account, payer, MILLION, [], o.program),
      ],
      [authority],
    );
    expect(minted.err).toBeNull();
  }
  return token;
}

/** Lands a transaction, whatever becomes of it. */
async function send(
  instructions: TransactionInstruction[],
  signers: Keypair[],
): Promise<{ signature: string; err: unknown }> {
  const transaction = new Transaction({
    feePayer: signers[0]?.publicKey ?? null,
    blockhash: chain.chain.latestBlockhash().blockhash,
    lastValidBlockHeight: 0,
  }).add(...instructions);
  const bytes = transaction.serializeMessage().length + 64 * signers.length;
  if (bytes > MOST_BYTES) return { signature: '', err: 'too large' };
  transaction.sign(...signers);
  const answer = await chain.send(transaction.serialize(), { skipPreflight: true });
  if (answer.error) throw new Error(JSON.stringify(answer.error));
  await chain.slots(2);
  const signature = bs58.encode(transaction.signature ?? new Uint8Array());
  return { signature, err: (await get(signature, 'json')).meta?.err ?? null };
}

async function get(signature: string, encoding: string): Promise<RawTransaction> {
  const { result } = await chain.call('getTransaction', [
    signature,
    { encoding, commitment: 'confirmed', maxSupportedTransactionVersion: 0 },
  ]);
  return rawTransactionSchema.parse(result);
}

describe('any transaction', () => {
  it('has legs and things left out that are the change of every balance', async () => {
    const seen = new Set<string>();
    const reasons = new Set<string>();
    let landed = 0;
    await fc.assert(
      fc.asyncProperty(happenings, async (what) => {
        const { instructions, signers } = play(world, what);
        const { signature, err } = await send(instructions, signers);
        if (err !== null) return;
        landed += 1;
        const raw = await get(signature, 'json');
        const movements = readMovements(raw);
        if ('code' in movements) throw new Error(movements.detail);
        expect(sumOf(movements, { whole: false })).toEqual(changesOf(raw, { whole: false }));
        for (const encoding of ['jsonParsed', 'base64'])
          expect(readMovements(await get(signature, encoding))).toEqual(movements);
        for (const [kind] of what) seen.add(kind);
        for (const { reason } of movements.leftOut) reasons.add(reason);
      }),
      { numRuns: 110, endOnFailure: true },
    );
    expect(landed).toBeGreaterThan(55);
    expect([...KIND_NAMES].filter((kind) => !seen.has(kind))).toEqual([]);
    expect([...reasons].sort()).toEqual(
      [
        'account_funding',
        'burned',
        'minted',
        'network_fee',
        'rent_grown',
        'rent_handed_over',
        'rent_opened',
        'rent_returned',
        'self_transfer',
        'tip',
      ].sort(),
    );
  });
});
