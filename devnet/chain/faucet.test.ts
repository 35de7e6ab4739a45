import {
  createAssociatedTokenAccountIdempotentInstruction,
  createInitializeMint2Instruction,
  createInitializeTransferFeeConfigInstruction,
  createMintToInstruction,
  createTransferCheckedInstruction,
  ExtensionType,
  getAssociatedTokenAddressSync,
  getMint,
  getMintLen,
} from '@solana/spl-token';
import {
  Keypair,
  PublicKey,
  sendAndConfirmTransaction,
  SystemProgram,
  Transaction,
} from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PLANTED_MINTS, TOKEN22 } from './addresses';
import { startTestChain, type TestChain } from './testing/test-chain';
import { readTokenAccount } from './token-state';

let node: TestChain;
beforeAll(async () => {
  node = await startTestChain();
});
afterAll(() => node.close());

test.each(PLANTED_MINTS)('gives $symbol by real transactions of its own program', async (token) => {
  const wallet = Keypair.generate().publicKey;
  const answer = await node.post('/faucet', {
    wallet: wallet.toBase58(),
    sol: '0.5',
    token: token.symbol,
    amount: '12.345678',
  });
  expect(answer).toMatchObject({ status: 200, body: { success: true } });
  const signatures = answer.body.signatures as string[];
  expect(signatures).toHaveLength(2);
  await node.slots(2);

  const program = new PublicKey(token.program);
  const mint = new PublicKey(token.mint);
  const account = getAssociatedTokenAddressSync(mint, wallet, true, program).toBase58();
  expect(readTokenAccount(node.chain.get(account))).toMatchObject({
    mint: token.mint,
    owner: wallet.toBase58(),
    amount: 12_345_678n,
    program: token.program,
  });
  expect(node.chain.get(wallet.toBase58())?.lamports).toBe(500_000_000n);
  const { result } = await node.call('getTransaction', [
    signatures[1],
    { commitment: 'confirmed', encoding: 'jsonParsed' },
  ]);
  expect(result).toMatchObject({
    meta: {
      err: null,
      postTokenBalances: [{ owner: wallet.toBase58(), programId: token.program, mint: token.mint }],
    },
  });
  const supply = await getMint(node.connect(), mint, 'confirmed', program);
  expect(supply).toMatchObject({ decimals: 6, isInitialized: true });
  expect(supply.mintAuthority?.toBase58()).toBe(node.faucetAddress);
});

describe('refuses what it cannot give, and says why', () => {
  const wallet = Keypair.generate().publicKey.toBase58();
  test.each([
    [{ wallet: 'nobody', sol: 1 }, 'wallet: Invalid'],
    [{ wallet }, 'give `sol`'],
    [{ wallet, token: 'USDC' }, '`token` and `amount` go together'],
    [{ wallet, token: 'DOGE', amount: 1 }, 'must be one of USDC, USDT, PYUSD, EURC'],
    [{ wallet, token: 'USDC', amount: '0.0000001' }, 'at most 6 decimals'],
    [{ wallet, sol: -1 }, 'positive decimal number'],
    [{ wallet, sol: 0 }, 'positive decimal number'],
    [{ wallet, sol: '18000000000' }, 'custom program error'],
    [{ wallet, sol: 1, gold: 1 }, 'gold'],
  ])('%j', async (wish, why) => {
    const answer = await node.post('/faucet', wish);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ success: false, error: expect.stringContaining(why) });
  });
});

test('makes two transactions of two equal gifts at once', async () => {
  const wallet = Keypair.generate().publicKey.toBase58();
  const gift = () => node.post('/faucet', { wallet, sol: 1 });
  const answers = await Promise.all([gift(), gift(), gift()]);
  const signatures = answers.flatMap((answer) => answer.body.signatures as string[]);
  expect(new Set(signatures).size).toBe(3);
  expect(node.chain.get(wallet)?.lamports).toBe(3_000_000_000n);
});

test('gives a Token-2022 mint with a transfer fee, which is withheld from the receiver', async () => {
  const connection = node.connect();
  const payer = await node.wallet();
  const program = new PublicKey(TOKEN22);
  const mint = Keypair.generate();
  const space = getMintLen([ExtensionType.TransferFeeConfig]);
  const me = payer.publicKey;
  const seller = Keypair.generate().publicKey;
  const [mine, theirs] = [me, seller].map((owner) =>
    getAssociatedTokenAddressSync(mint.publicKey, owner, false, program),
  ) as [PublicKey, PublicKey];
  const transaction = new Transaction().add(
    SystemProgram.createAccount({
      fromPubkey: me,
      newAccountPubkey: mint.publicKey,
      lamports: await connection.getMinimumBalanceForRentExemption(space),
      space,
      programId: program,
    }),
    createInitializeTransferFeeConfigInstruction(mint.publicKey, me, me, 400, 10_000_000n, program),
    createInitializeMint2Instruction(mint.publicKey, 6, me, null, program),
    createAssociatedTokenAccountIdempotentInstruction(me, mine, me, mint.publicKey, program),
    createAssociatedTokenAccountIdempotentInstruction(me, theirs, seller, mint.publicKey, program),
    createMintToInstruction(mint.publicKey, mine, me, 100_000_000n, [], program),
  );
  await sendAndConfirmTransaction(connection, transaction, [payer, mint]);
  const paid = await sendAndConfirmTransaction(
    connection,
    new Transaction().add(
      createTransferCheckedInstruction(
        mine,
        mint.publicKey,
        theirs,
        me,
        50_000_000n,
        6,
        [],
        program,
      ),
    ),
    [payer],
  );
  const { result } = await node.call('getTransaction', [paid, { commitment: 'confirmed' }]);
  const { meta } = result as {
    meta: { postTokenBalances: { owner: string; uiTokenAmount: { amount: string } }[] };
  };
  const after = Object.fromEntries(
    meta.postTokenBalances.map((b) => [b.owner, b.uiTokenAmount.amount]),
  );
  expect(after).toEqual({ [me.toBase58()]: '50000000', [seller.toBase58()]: '48000000' });
});
