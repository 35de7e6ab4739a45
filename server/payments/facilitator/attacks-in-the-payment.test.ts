import { createTransferCheckedInstruction, TOKEN_2022_PROGRAM_ID } from '@solana/spl-token';
import {
  AddressLookupTableAccount,
  Keypair,
  NONCE_ACCOUNT_LENGTH,
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionInstruction,
} from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MEMO_PROGRAMS } from '@quittance/verify/chain/programs';
import { withAccounts, withProgram, withStaticKey } from './attack-messages.fixture';
import { budget, plain, present, REASONS, refusedFor } from './attacks.fixture';
import {
  makePayment,
  memo,
  PRICE,
  startShop,
  tokenAccount,
  USDC,
  type Shop,
  type Wish,
} from './exact.fixture';

let shop: Shop;
const stranger = Keypair.generate();
const nonce = Keypair.generate();
beforeAll(async () => {
  shop = await startShop();
  await openNonce();
});
afterAll(() => shop.close());

type Attack = [name: string, reason: string, wish: () => Wish];
const { named, noTransfer, transferring, unused, undecoded } = REASONS;
const limitTooHigh = `${REASONS.limit}_too_high`;
const priceTooHigh = `${REASONS.price}_too_high`;
/** Where the memo stands. */
const MEMO_AT = 3;

const NETWORK_FEE: Attack[] = [
  [
    'bytes behind the compute limit',
    limitTooHigh,
    () => swap(0, () => budget([2, 32, 78, 0, 0, 0])),
  ],
  [
    'bytes behind the compute price',
    priceTooHigh,
    () => swap(1, () => budget([3, 1, 0, 0, 0, 0, 0, 0, 0, 0])),
  ],
  [
    'a compute limit that names the fee payer',
    limitTooHigh,
    () => swap(0, () => budget([2, 32, 78, 0, 0], [plain(shop.feePayer)])),
  ],
  [
    'a compute price that names a stranger',
    priceTooHigh,
    () => swap(1, () => budget([3, 1, 0, 0, 0, 0, 0, 0, 0], [plain(stranger.publicKey)])),
  ],
  ['the largest compute limit', limitTooHigh, () => ({ units: 0xffff_ffff })],
  ['the largest compute price', priceTooHigh, () => ({ microLamports: 2n ** 64n - 1n })],
  ['a heap frame for the limit', REASONS.limit, () => swap(0, () => budget([1, 0, 0, 4, 0]))],
];

const TRANSFERS: Attack[] = [
  ['bytes behind the transfer', noTransfer, () => swap(2, (one) => withData(one, [0]))],
  [
    'signers of a multisig behind the authority',
    noTransfer,
    () => swap(2, (one) => withSigner(one, shop.payer.publicKey)),
  ],
  [
    'the fee payer as signer of a multisig',
    named,
    () => swap(2, (one) => withSigner(one, shop.feePayer)),
  ],
  ['the fee payer as the account that is debited', named, () => ({ source: shop.feePayer })],
  [
    'the fee payer as the account that is credited',
    'payload_recipient_mismatch',
    () => ({ destination: shop.feePayer }),
  ],
  [
    'the fee payer as who allows the transfer',
    transferring,
    () => ({ authority: shop.feePayer, signers: [] }),
  ],
  [
    'the fee payer’s own token account',
    transferring,
    () => ({ source: tokenAccount(shop.feePayer), authority: shop.feePayer, signers: [] }),
  ],
  [
    'a transfer by Token-2022',
    'payload_recipient_mismatch',
    () => swap(2, () => transferBy(TOKEN_2022_PROGRAM_ID)),
  ],
  [
    'an authority that has not signed, beside one that has',
    noTransfer,
    () => ({
      shape: (plainOnes) => [
        ...plainOnes.slice(0, 2),
        unsigned(transferBy()),
        memo('x', [stranger.publicKey]),
      ],
      signers: [stranger],
    }),
  ],
];

const NONCES: Attack[] = [
  [
    'a durable nonce, so that it is valid for ever',
    REASONS.limit,
    () => ({
      shape: (plainOnes) => [advanceNonce(), ...plainOnes.slice(0, 3)],
      blockhash: nonceValue(),
    }),
  ],
  [
    'a durable nonce that nothing advances',
    'transaction_simulation_failed',
    () => ({ blockhash: nonceValue() }),
  ],
  [
    'a nonce that is advanced behind the transfer',
    REASONS.unknown,
    () => ({ shape: (plainOnes) => [...plainOnes.slice(0, 3), advanceNonce()] }),
  ],
];

const KEYS: Attack[] = [
  [
    'an account that no instruction uses',
    unused,
    () => ({ change: (message) => withStaticKey(message, stranger.publicKey) }),
  ],
  [
    'the fee payer twice among its keys',
    unused,
    () => ({ change: (message) => withStaticKey(message, shop.feePayer) }),
  ],
  [
    'the fee payer named by its second place',
    named,
    () => ({
      change: (message) =>
        withAccounts(withStaticKey(message, shop.feePayer), MEMO_AT, [
          message.staticAccountKeys.length,
        ]),
    }),
  ],
  [
    'an account beyond its keys',
    undecoded,
    () => ({ change: (message) => withAccounts(message, MEMO_AT, [200]) }),
  ],
  [
    'an authority beyond its keys',
    undecoded,
    () => ({ change: (message) => withAccounts(message, 2, [2, 3, 4, 200]) }),
  ],
  [
    'a program beyond its keys',
    undecoded,
    () => ({ change: (message) => withProgram(message, MEMO_AT, 200) }),
  ],
  [
    'the fee payer for a program',
    REASONS.unknown,
    () => ({ change: (message) => withProgram(message, MEMO_AT, 0) }),
  ],
];

describe.each([1, 2] as const)(
  'version %i: the service neither signs nor pays for a payment',
  (version) => {
    const attacks = [...NETWORK_FEE, ...TRANSFERS, ...NONCES, ...KEYS];

    it.each(attacks)('with %s', async (_, reason, wish) => {
      const wire = makePayment(shop, wish());
      expect(await present(shop, version, wire)).toEqual(refusedFor(reason));
    });

    it.each(attacks)('with a memo v4 and %s', async (_, _reason, wish) => {
      const wanted = wish();
      const shape = (plainOnes: TransactionInstruction[]) => {
        const made = wanted.shape?.(plainOnes) ?? plainOnes;
        return [...made.slice(0, 3), memo('x', [], MEMO_PROGRAMS.v4), ...made.slice(3)];
      };
      const seen = await present(shop, version, makePayment(shop, { ...wanted, shape }));
      expect(seen).toMatchObject({ costLamports: 0n, earned: 0n });
      expect(seen.reason).not.toBeNull();
    });

    it.each<[string, () => PublicKey[]]>([
      ['the account that is credited', () => [tokenAccount(shop.payTo)]],
      ['the account that is debited', () => [tokenAccount(shop.payer.publicKey)]],
      ['the mint', () => [USDC]],
      ['nothing of it', () => []],
    ])('whose lookup table holds %s', async (_, addresses) => {
      const wire = makePayment(shop, throughTable(addresses(), []));
      expect(await present(shop, version, wire)).toEqual(refusedFor('payload_lookup_tables'));
    });

    it('with the fee payer named through a lookup table', async () => {
      const wire = makePayment(shop, throughTable([], [0]));
      expect(await present(shop, version, wire)).toEqual(refusedFor('payload_lookup_tables'));
    });
  },
);

/**
 * A payment that takes its keys from a table as far as the table holds them, and adds lookups where
 * it holds none.
 */
function throughTable(addresses: PublicKey[], writableIndexes: number[]): Wish {
  const table = new AddressLookupTableAccount({
    key: stranger.publicKey,
    state: {
      deactivationSlot: 2n ** 64n - 1n,
      lastExtendedSlot: 0,
      lastExtendedSlotStartIndex: 0,
      addresses,
    },
  });
  return {
    tables: [table],
    change: (message) => {
      const lookup = { accountKey: table.key, writableIndexes, readonlyIndexes: [] };
      if (message.addressTableLookups.length === 0) message.addressTableLookups.push(lookup);
      // The first key from the table follows those of the message.
      const behind = writableIndexes.map((index) => message.staticAccountKeys.length + index);
      return behind.length > 0 ? withAccounts(message, MEMO_AT, behind) : message;
    },
  };
}

function swap(at: number, make: (old: TransactionInstruction) => TransactionInstruction): Wish {
  return { shape: (plainOnes) => plainOnes.map((one, i) => (i === at ? make(one) : one)) };
}

function transferBy(program?: PublicKey): TransactionInstruction {
  return createTransferCheckedInstruction(
    tokenAccount(shop.payer.publicKey),
    USDC,
    tokenAccount(shop.payTo),
    shop.payer.publicKey,
    PRICE,
    6,
    [],
    program,
  );
}

function withData(one: TransactionInstruction, more: number[]): TransactionInstruction {
  return new TransactionInstruction({ ...one, data: Buffer.from([...one.data, ...more]) });
}

function withSigner(one: TransactionInstruction, pubkey: PublicKey): TransactionInstruction {
  const key = { pubkey, isSigner: true, isWritable: false };
  return new TransactionInstruction({ ...one, keys: [...one.keys, key] });
}

function unsigned(one: TransactionInstruction): TransactionInstruction {
  const keys = one.keys.map((account) => ({ ...account, isSigner: false }));
  return new TransactionInstruction({ ...one, keys });
}

async function openNonce(): Promise<void> {
  const { chain, payer } = shop;
  const transaction = new Transaction({
    feePayer: payer.publicKey,
    ...chain.chain.latestBlockhash(),
  }).add(
    SystemProgram.createNonceAccount({
      fromPubkey: payer.publicKey,
      noncePubkey: nonce.publicKey,
      authorizedPubkey: payer.publicKey,
      lamports: Number(chain.chain.rent(NONCE_ACCOUNT_LENGTH)),
    }),
  );
  transaction.sign(payer, nonce);
  const { error } = await chain.send(transaction.serialize());
  if (error) throw new Error(JSON.stringify(error));
  await chain.slots(2);
}

function advanceNonce(): TransactionInstruction {
  return SystemProgram.nonceAdvance({
    noncePubkey: nonce.publicKey,
    authorizedPubkey: shop.payer.publicKey,
  });
}

/** The hash in the nonce account, after version, state and authority. */
function nonceValue(): string {
  const data = shop.chain.chain.get(nonce.publicKey.toBase58())?.data ?? new Uint8Array();
  return new PublicKey(data.subarray(40, 72)).toBase58();
}
