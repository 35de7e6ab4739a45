import {
  address,
  appendTransactionMessageInstruction,
  createKeyPairSignerFromBytes,
  createSolanaRpc,
  createSolanaRpcSubscriptions,
  createTransactionMessage,
  getSignatureFromTransaction,
  pipe,
  sendAndConfirmTransactionFactory,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
  type Instruction,
} from '@solana/kit';
import {
  createTransferCheckedInstruction,
  getAccount,
  getAssociatedTokenAddressSync,
  getOrCreateAssociatedTokenAccount,
} from '@solana/spl-token';
import {
  AddressLookupTableProgram,
  PublicKey,
  sendAndConfirmTransaction,
  SystemProgram,
  Transaction,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
  Keypair,
} from '@solana/web3.js';
import { generateSigner, keypairIdentity, publicKey, sol } from '@metaplex-foundation/umi';
import { createUmi } from '@metaplex-foundation/umi-bundle-defaults';
import { fetchToken, transferSol } from '@metaplex-foundation/mpl-toolbox';
import bs58 from 'bs58';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MEMO_PROGRAMS, PLANTED_MINTS } from './addresses';
import { startTestChain, type TestChain } from './testing/test-chain';

const USDC = new PublicKey(PLANTED_MINTS[0]?.mint ?? '');
let node: TestChain;
beforeAll(async () => {
  node = await startTestChain();
});
afterAll(() => node.close());

describe('web3.js, unmodified', () => {
  test('pays USDC with a memo and reads the payment back', async () => {
    const connection = node.connect();
    const payer = await node.wallet({ sol: 1, token: 'USDC', amount: '5' });
    const seller = Keypair.generate().publicKey;
    const source = getAssociatedTokenAddressSync(USDC, payer.publicKey);
    const { address: destination } = await getOrCreateAssociatedTokenAccount(
      connection,
      payer,
      USDC,
      seller,
    );
    const memo = new TransactionInstruction({
      programId: new PublicKey(MEMO_PROGRAMS.v3),
      keys: [],
      data: Buffer.from('order 7'),
    });
    const transaction = new Transaction().add(
      memo,
      createTransferCheckedInstruction(source, USDC, destination, payer.publicKey, 750_000n, 6),
    );
    const signature = await sendAndConfirmTransaction(connection, transaction, [payer]);

    expect((await getAccount(connection, destination)).amount).toBe(750_000n);
    const read = await connection.getParsedTransaction(signature, 'confirmed');
    expect(read?.version).toBeUndefined();
    const [first, second] = read?.transaction.message.instructions ?? [];
    expect(first).toMatchObject({ program: 'spl-memo', parsed: 'order 7' });
    expect(second).toMatchObject({
      program: 'spl-token',
      parsed: {
        type: 'transferChecked',
        info: { authority: payer.publicKey.toBase58(), tokenAmount: { amount: '750000' } },
      },
    });
    expect(read?.meta?.fee).toBe(5000);
    const balances = (list: typeof read extends null ? never : unknown) =>
      (list as { owner: string; programId: string; uiTokenAmount: { amount: string } }[])
        .map((b) => [b.owner, b.programId, b.uiTokenAmount.amount].join(' '))
        .sort();
    const tokenProgram = PLANTED_MINTS[0]?.program;
    expect(balances(read?.meta?.preTokenBalances)).toEqual(
      [
        `${payer.publicKey.toBase58()} ${tokenProgram} 5000000`,
        `${seller.toBase58()} ${tokenProgram} 0`,
      ].sort(),
    );
    expect(balances(read?.meta?.postTokenBalances)).toEqual(
      [
        `${payer.publicKey.toBase58()} ${tokenProgram} 4250000`,
        `${seller.toBase58()} ${tokenProgram} 750000`,
      ].sort(),
    );
    const [last] = await connection.getSignaturesForAddress(destination, undefined, 'confirmed');
    expect(last).toMatchObject({ signature, memo: '[7] order 7', err: null });
  });

  test('sends a v0 transaction through a lookup table and reads its loaded keys', async () => {
    const connection = node.connect();
    const payer = await node.wallet();
    const receiver = Keypair.generate().publicKey;
    const recentSlot = (await connection.getSlot('confirmed')) - 1;
    const [create, table] = AddressLookupTableProgram.createLookupTable({
      authority: payer.publicKey,
      payer: payer.publicKey,
      recentSlot,
    });
    const extend = AddressLookupTableProgram.extendLookupTable({
      lookupTable: table,
      authority: payer.publicKey,
      payer: payer.publicKey,
      addresses: [receiver],
    });
    await sendAndConfirmTransaction(connection, new Transaction().add(create, extend), [payer]);
    await node.slots(2);
    const lookup = await connection.getAddressLookupTable(table);
    if (!lookup.value) throw new Error('no table');
    const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash();
    const message = new TransactionMessage({
      payerKey: payer.publicKey,
      recentBlockhash: blockhash,
      instructions: [
        SystemProgram.transfer({
          fromPubkey: payer.publicKey,
          toPubkey: receiver,
          lamports: 1_000_000_000,
        }),
      ],
    }).compileToV0Message([lookup.value]);
    const transaction = new VersionedTransaction(message);
    transaction.sign([payer]);
    const signature = await connection.sendTransaction(transaction);
    await connection.confirmTransaction({ signature, blockhash, lastValidBlockHeight });

    expect(await connection.getBalance(receiver)).toBe(1_000_000_000);
    const read = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 });
    expect(read?.version).toBe(0);
    expect(read?.meta?.loadedAddresses?.writable.map(String)).toEqual([receiver.toBase58()]);
    const refused = await node.call('getTransaction', [signature, { commitment: 'confirmed' }]);
    expect(refused.error?.code).toBe(-32015);
  });
});

test('umi sends, confirms and reads like on a real node', async () => {
  const umi = createUmi(node.url, 'confirmed');
  const me = generateSigner(umi);
  umi.use(keypairIdentity(me));
  await umi.rpc.airdrop(me.publicKey, sol(3));
  await node.post('/faucet', { wallet: me.publicKey, token: 'USDC', amount: 2 });
  const destination = generateSigner(umi).publicKey;
  const { signature, result } = await transferSol(umi, {
    destination,
    amount: sol(1),
  }).sendAndConfirm(umi, { confirm: { commitment: 'confirmed' } });
  expect(result.value.err).toBeNull();
  expect((await umi.rpc.getBalance(destination)).basisPoints).toBe(1_000_000_000n);
  const read = await umi.rpc.getTransaction(signature);
  expect(read?.meta.err).toBeNull();
  const ata = getAssociatedTokenAddressSync(USDC, new PublicKey(me.publicKey));
  expect((await fetchToken(umi, publicKey(ata.toBase58()))).amount).toBe(2_000_000n);
  const failing = transferSol(umi, { destination, amount: sol(1_000_000) });
  await expect(failing.sendAndConfirm(umi)).rejects.toThrow(/0x1|custom program error/);
});

test('kit sends and confirms with its own subscriptions', async () => {
  const payer = await node.wallet();
  const signer = await createKeyPairSignerFromBytes(payer.secretKey);
  const rpc = createSolanaRpc(node.url as 'http://127.0.0.1');
  const rpcSubscriptions = createSolanaRpcSubscriptions(node.wsUrl as 'ws://127.0.0.1');
  const to = address(Keypair.generate().publicKey.toBase58());
  const plain = SystemProgram.transfer({
    fromPubkey: payer.publicKey,
    toPubkey: new PublicKey(to),
    lamports: 5_000_000,
  });
  const instruction: Instruction = {
    programAddress: address(plain.programId.toBase58()),
    accounts: plain.keys.map((key) => ({
      address: address(key.pubkey.toBase58()),
      role: key.isSigner ? 3 : 1,
    })),
    data: new Uint8Array(plain.data),
  };
  const { value: lifetime } = await rpc.getLatestBlockhash({ commitment: 'confirmed' }).send();
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (m) => setTransactionMessageFeePayerSigner(signer, m),
    (m) => setTransactionMessageLifetimeUsingBlockhash(lifetime, m),
    (m) => appendTransactionMessageInstruction(instruction, m),
  );
  const signed = await signTransactionMessageWithSigners(message);
  const send = sendAndConfirmTransactionFactory({ rpc, rpcSubscriptions });
  await send(signed as Parameters<typeof send>[0], { commitment: 'confirmed' });
  const { value } = await rpc.getBalance(to, { commitment: 'confirmed' }).send();
  expect(value).toBe(5_000_000n);
  const read = await rpc
    .getTransaction(getSignatureFromTransaction(signed), {
      commitment: 'confirmed',
      encoding: 'jsonParsed',
      maxSupportedTransactionVersion: 0,
    })
    .send();
  expect(read?.transaction.message.instructions[0]).toMatchObject({
    parsed: { type: 'transfer', info: { lamports: 5_000_000n } },
  });
});

test('a batch is answered in order, with each error in its place', async () => {
  const wallet = await node.wallet();
  const response = await fetch(node.url, {
    method: 'POST',
    body: JSON.stringify([
      {
        jsonrpc: '2.0',
        id: 'a',
        method: 'getBalance',
        params: [wallet.publicKey.toBase58(), { commitment: 'confirmed' }],
      },
      { jsonrpc: '2.0', id: 'b', method: 'noSuchMethod' },
      { jsonrpc: '2.0', id: 'c', method: 'getBalance', params: ['not an address'] },
      { jsonrpc: '2.0', id: 'd', method: 'getHealth' },
    ]),
  });
  const answers = (await response.json()) as {
    id: string;
    result?: { value: number };
    error?: { code: number };
  }[];
  expect(answers.map((a) => a.id)).toEqual(['a', 'b', 'c', 'd']);
  expect(answers[0]?.result?.value).toBe(10_000_000_000);
  expect(answers.map((a) => a.error?.code)).toEqual([undefined, -32601, -32602, undefined]);
  expect(answers[3]?.result).toBe('ok');
  expect(await (await fetch(`${node.url}/health`)).text()).toBe('ok');
  expect(bs58.decode((await node.call('getGenesisHash')).result as string)).toHaveLength(32);
});
