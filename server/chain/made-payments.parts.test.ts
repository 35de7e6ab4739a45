import {
  createInitializeMint2Instruction,
  createInitializeTransferFeeConfigInstruction,
  createMintToInstruction,
  ExtensionType,
  getMintLen,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token';
import {
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  type Signer,
  type TransactionInstruction,
} from '@solana/web3.js';
import bs58 from 'bs58';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestChain, type TestChain } from '@/devnet/chain/testing/test-chain';
import { rawTransactionSchema } from '@quittance/verify/chain/raw-transaction';
import {
  ata,
  choice,
  KINDS,
  open,
  type Deed,
  type Stage,
  type TestToken,
} from './payment-kinds.fixture';
import { readRaw } from '../../tests/harness/chain/read-made';
import type { TransferReading } from '@quittance/verify/chain/transfer';

const USDC = new PublicKey('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');

let chain: TestChain;
let stage: Stage;

beforeAll(async () => {
  chain = await startTestChain({ stopped: true });
  const rich = () => chain.wallet({ sol: 1_000, token: 'USDC', amount: '1000000' });
  const wallets = [await rich(), await rich(), await rich(), await rich()] as const;
  stage = {
    wallets,
    // Valued, because only such legs decide which one is the payment.
    plain: { mint: USDC, program: TOKEN_PROGRAM_ID, decimals: 6, feeBps: 0 },
    other: await makeToken(wallets, { program: TOKEN_2022_PROGRAM_ID, feeBps: 0 }),
    withFee: await makeToken(wallets, { program: TOKEN_2022_PROGRAM_ID, feeBps: 400 }),
  };
});
afterAll(() => chain.close());

/** A token of six decimals, of which every wallet has a million. */
async function makeToken(
  wallets: Stage['wallets'],
  o: Pick<TestToken, 'program' | 'feeBps'>,
): Promise<TestToken> {
  const [first] = wallets;
  const mint = Keypair.generate();
  const token = { ...o, mint: mint.publicKey, decimals: 6 };
  const space = getMintLen(o.feeBps > 0 ? [ExtensionType.TransferFeeConfig] : []);
  await send(
    [
      SystemProgram.createAccount({
        fromPubkey: first.publicKey,
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
              10n ** 12n,
              o.program,
            ),
          ]
        : []),
      createInitializeMint2Instruction(mint.publicKey, 6, first.publicKey, null, o.program),
    ],
    [first, mint],
  );
  for (const wallet of wallets)
    await send(
      [
        open(first, wallet, token),
        createMintToInstruction(
          mint.publicKey,
          ata(wallet, token),
          first.publicKey,
          10n ** 12n,
          [],
          o.program,
        ),
      ],
      [first],
    );
  return token;
}

/** Lands a transaction, whatever becomes of it, and gives its signature. */
async function send(instructions: TransactionInstruction[], signers: Signer[]): Promise<string> {
  const transaction = new Transaction({
    feePayer: signers[0]?.publicKey ?? null,
    blockhash: chain.chain.latestBlockhash().blockhash,
    lastValidBlockHeight: 0,
  }).add(...instructions);
  transaction.sign(...signers);
  const answer = await chain.send(transaction.serialize(), { skipPreflight: true });
  if (answer.error) throw new Error(JSON.stringify(answer.error));
  await chain.slots(2);
  return bs58.encode(transaction.signature ?? new Uint8Array());
}

async function read(signature: string, encoding: string): Promise<TransferReading> {
  const { result } = await chain.call('getTransaction', [
    signature,
    { encoding, commitment: 'confirmed', maxSupportedTransactionVersion: 0 },
  ]);
  return readRaw(rawTransactionSchema.parse(result));
}

/** The reading, in the terms of the actions. */
function facts(reading: TransferReading): unknown {
  if (!reading.ok) return { code: reading.code };
  const { payer, seller, mint, amount, amountSent, feeWithheld, otherLegs, memos } =
    reading.transfer;
  const legs = otherLegs.map((leg) => leg.amount);
  return { payer, seller, mint, amount, amountSent, feeWithheld, otherLegs: legs, memos };
}
function expectedFacts({ expected }: Deed, memo: string | null): unknown {
  if ('code' in expected) return expected;
  return {
    ...expected,
    payer: expected.payer.toBase58(),
    seller: expected.seller.toBase58(),
    mint: expected.mint?.toBase58() ?? null,
    feeWithheld: expected.amountSent - expected.amount,
    memos: memo === null ? [] : [memo],
  };
}

describe('transactions made on the local chain', () => {
  it('are read as what was done, in every encoding, and every kind occurs', async () => {
    const seen = new Map<string, number>(Object.keys(KINDS).map((kind) => [kind, 0]));
    const someOfEach = fc.tuple(
      fc.shuffledSubarray(Object.keys(KINDS), { minLength: seen.size, maxLength: seen.size }),
      fc.array(choice, { minLength: seen.size, maxLength: seen.size }),
    );
    await fc.assert(
      fc.asyncProperty(someOfEach, async ([kinds, choices]) => {
        for (const [i, kind] of kinds.entries()) {
          const [make, chosen] = [KINDS[kind], choices[i]];
          if (!make || !chosen) throw new Error(`no kind ${kind}`);
          const deed = make(stage, chosen);
          if (deed.before) await send(deed.before.instructions, deed.before.signers);
          const signature = await send(deed.instructions, deed.signers);
          for (const encoding of ['json', 'jsonParsed', 'base64'])
            expect([kind, encoding, facts(await read(signature, encoding))]).toEqual([
              ...[kind, encoding, expectedFacts(deed, chosen.memo)],
            ]);
          if (deed.closed) expect(chain.chain.get(deed.closed.toBase58())).toBeNull();
          seen.set(kind, (seen.get(kind) ?? 0) + 1);
        }
      }),
      { numRuns: 10, endOnFailure: true },
    );
    expect([...seen].filter(([, count]) => count === 0)).toEqual([]);
  });
});
