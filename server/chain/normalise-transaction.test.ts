import {
  AddressLookupTableAccount,
  Keypair,
  PublicKey,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import bs58 from 'bs58';
import { describe, expect, it } from 'vitest';
import { decodeWire } from '@quittance/verify/chain/decode-wire';
import { readRaw } from '../../tests/harness/chain/read-made';
import { normaliseTransaction } from '@quittance/verify/chain/normalise-transaction';
import { MEMO_PROGRAMS, SYSTEM, TOKEN } from '@quittance/verify/chain/programs';
import type { RawTransaction } from '@quittance/verify/chain/raw-transaction';
import { BLOCK_TIME, FEE, named, RENT, USDC } from '../../tests/harness/chain/made-transaction';

const payer = Keypair.fromSeed(new Uint8Array(32).fill(5));
const [source, destination, table] = ['from', 'to', 'table'].map(
  (name) => new PublicKey(named(name)),
);
if (!source || !destination || !table) throw new Error('the keys are fixed');

/** TransferChecked of 5 units and a memo, in a version 0 message whose receiver comes from a table. */
const message = new TransactionMessage({
  payerKey: payer.publicKey,
  recentBlockhash: bs58.encode(Buffer.alloc(32, 3)),
  instructions: [
    new TransactionInstruction({
      programId: new PublicKey(TOKEN),
      keys: [
        { pubkey: source, isSigner: false, isWritable: true },
        { pubkey: new PublicKey(USDC), isSigner: false, isWritable: false },
        { pubkey: destination, isSigner: false, isWritable: true },
        { pubkey: payer.publicKey, isSigner: true, isWritable: false },
      ],
      data: Buffer.from([12, 5, 0, 0, 0, 0, 0, 0, 0, 6]),
    }),
    new TransactionInstruction({
      programId: new PublicKey(MEMO_PROGRAMS.v3),
      keys: [],
      data: Buffer.from('hé'),
    }),
  ],
}).compileToV0Message([
  new AddressLookupTableAccount({
    key: table,
    state: {
      deactivationSlot: 2n ** 64n - 1n,
      lastExtendedSlot: 0,
      lastExtendedSlotStartIndex: 0,
      addresses: [destination],
    },
  }),
]);
const signed = new VersionedTransaction(message);
signed.sign([payer]);
const wire = Buffer.from(signed.serialize());
const signature = bs58.encode(signed.signatures[0] ?? new Uint8Array());

const staticKeys = message.staticAccountKeys.map((key) => key.toBase58());
const keys = [...staticKeys, destination.toBase58()];
const balance = (account: string, owner: string, amount: number) => ({
  accountIndex: keys.indexOf(account),
  mint: USDC,
  owner,
  programId: TOKEN,
  uiTokenAmount: { amount: String(amount), decimals: 6 },
});
const meta = {
  err: null,
  fee: Number(FEE),
  preBalances: keys.map(() => Number(RENT)),
  postBalances: keys.map((_, index) => Number(index === 0 ? RENT - FEE : RENT)),
  preTokenBalances: [
    balance(destination.toBase58(), named('seller'), 1),
    balance(source.toBase58(), payer.publicKey.toBase58(), 9),
  ],
  postTokenBalances: [
    balance(destination.toBase58(), named('seller'), 6),
    balance(source.toBase58(), payer.publicKey.toBase58(), 4),
  ],
  innerInstructions: [],
};
const loadedAddresses = { writable: [destination.toBase58()], readonly: [] };
const common = { slot: 1, blockTime: BLOCK_TIME, version: 0 as const };

const base64: RawTransaction = {
  ...common,
  transaction: [wire.toString('base64'), 'base64'],
  meta: { ...meta, loadedAddresses },
};
const json: RawTransaction = {
  ...common,
  transaction: {
    signatures: [signature],
    message: {
      accountKeys: staticKeys,
      header: message.header,
      instructions: message.compiledInstructions.map((own) => ({
        programIdIndex: own.programIdIndex,
        accounts: own.accountKeyIndexes,
        data: bs58.encode(own.data),
      })),
    },
  },
  meta: { ...meta, loadedAddresses },
};
const jsonParsed: RawTransaction = {
  ...common,
  transaction: {
    signatures: [signature],
    message: {
      accountKeys: keys.map((pubkey, index) => ({ pubkey, signer: index === 0, writable: true })),
      instructions: [
        {
          program: 'spl-token',
          programId: TOKEN,
          parsed: {
            type: 'transferChecked',
            info: {
              source: source.toBase58(),
              destination: destination.toBase58(),
              mint: USDC,
              multisigAuthority: payer.publicKey.toBase58(),
              signers: [payer.publicKey.toBase58()],
              tokenAmount: { amount: '5', decimals: 6, uiAmount: 0.000005 },
            },
          },
        },
        { program: 'spl-memo', programId: MEMO_PROGRAMS.v3, parsed: 'hé' },
      ],
    },
  },
  meta,
};

describe('the three encodings of one transaction', () => {
  it.each([
    ['base64', base64],
    ['json', json],
    ['jsonParsed', jsonParsed],
  ])('%s gives the same transfer, with the receiver from a lookup table', (_, raw) => {
    expect(readRaw(raw)).toMatchObject({
      ok: true,
      transfer: {
        signature,
        payer: payer.publicKey.toBase58(),
        seller: named('seller'),
        amount: 5n,
        memos: ['hé'],
        references: [],
      },
    });
  });

  it('cannot be read when keys and balances do not match', () => {
    const short = { ...base64, meta: { ...meta, loadedAddresses: null } };
    expect(normaliseTransaction(short)).toContain('do not match');
    expect(readRaw({ ...base64, meta: null })).toMatchObject({
      code: 'unreadable_transaction',
    });
  });
});

describe('decoding wire bytes', () => {
  it('reads a legacy message', () => {
    const legacy = new TransactionMessage({
      payerKey: payer.publicKey,
      recentBlockhash: bs58.encode(Buffer.alloc(32, 3)),
      instructions: [
        SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: source, lamports: 7 }),
      ],
    }).compileToLegacyMessage();
    const transaction = new VersionedTransaction(legacy);
    transaction.sign([payer]);
    expect(decodeWire(transaction.serialize())).toMatchObject({
      version: 'legacy',
      signerCount: 1,
      staticKeys: [payer.publicKey.toBase58(), source.toBase58(), SYSTEM],
      instructions: [{ programIndex: 2, accounts: [0, 1] }],
    });
  });

  it('refuses every cut, every trailing byte and an unknown version', () => {
    for (let length = 0; length < wire.length; length += 1)
      expect(decodeWire(wire.subarray(0, length))).toBeNull();
    expect(decodeWire(Buffer.concat([wire, Buffer.from([0])]))).toBeNull();
    const later = Buffer.from(wire);
    later[65] = 0x81;
    expect(decodeWire(later)).toBeNull();
  });
});
