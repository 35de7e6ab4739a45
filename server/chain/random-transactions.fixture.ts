import {
  AuthorityType,
  createApproveInstruction,
  createAssociatedTokenAccountInstruction,
  createBurnInstruction,
  createCloseAccountInstruction,
  createInitializeAccount3Instruction,
  createMintToInstruction,
  createReallocateInstruction,
  createSetAuthorityInstruction,
  createSyncNativeInstruction,
  ExtensionType,
  NATIVE_MINT,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token';
import {
  AddressLookupTableProgram,
  Keypair,
  NONCE_ACCOUNT_LENGTH,
  PublicKey,
  SystemProgram,
  type TransactionInstruction,
} from '@solana/web3.js';
import fc from 'fast-check';
import { ata, move, open, pay, WSOL, type World } from './random-world.fixture';

/** One thing that happens in a transaction, and who must sign it. */
type Part = { instructions: TransactionInstruction[]; signers: Keypair[] };
type Chosen = { a: number; b: number; c: number; token: number; amount: bigint; flag: boolean };

export const TIP = new PublicKey('96gYZGLnJYVFmbjzopPSU6QiEV5fGqZNyN9nmNhvrZU5');
const RENT = 2_039_280;

function at<T>(list: readonly T[], place: number): T {
  const found = list[place % list.length];
  if (found === undefined) throw new RangeError('an empty list');
  return found;
}

const KINDS: Readonly<Record<string, (world: World, pick: Chosen) => Part>> = {
  token: ({ wallets, programs, tokens }, { a, b, token, amount }) => {
    const from = at(wallets, a);
    const kind = at(tokens, token);
    const to = at([...wallets.map(({ publicKey }) => publicKey), ...programs], b);
    return {
      instructions: [open(from.publicKey, to, kind), move(kind, from.publicKey, to, amount)],
      signers: [from],
    };
  },
  delegate: ({ wallets, tokens }, { a, b, c, token, amount }) => {
    const [from, to, by] = [at(wallets, a), at(wallets, b), at(wallets, c)];
    const { publicKey: owner } = from;
    const kind = at(tokens, token);
    return {
      instructions: [
        createApproveInstruction(ata(owner, kind), by.publicKey, owner, amount, [], kind.program),
        move(kind, owner, to.publicKey, amount, by.publicKey),
      ],
      signers: [from, by],
    };
  },
  sol: ({ wallets, programs }, { a, b, amount, flag }) => {
    const from = at(wallets, a);
    const to = at([...wallets.map(({ publicKey }) => publicKey), ...programs], b);
    const lamports = flag ? amount + 2_000_000n : amount * 100n + 20_000_000n;
    return { instructions: [pay(from.publicKey, to, lamports)], signers: [from] };
  },
  'sol into a token account': ({ wallets, tokens }, { a, b, token, amount }) => {
    const from = at(wallets, a);
    const account = ata(at(wallets, b).publicKey, at(tokens, token));
    return { instructions: [pay(from.publicKey, account, amount)], signers: [from] };
  },
  wrapped: ({ wallets }, { a, b, c, amount, flag }) => {
    const [from, to, end] = [at(wallets, a), at(wallets, b), at(wallets, c)];
    const { publicKey: owner } = from;
    return {
      instructions: [
        open(owner, owner, WSOL),
        open(owner, to.publicKey, WSOL),
        pay(owner, ata(owner, WSOL), amount + 7n),
        createSyncNativeInstruction(ata(owner, WSOL)),
        move(WSOL, owner, to.publicKey, amount),
        ...(flag ? [createCloseAccountInstruction(ata(owner, WSOL), end.publicKey, owner)] : []),
      ],
      signers: [from],
    };
  },
  'opened with more than its rent': ({ wallets }, { a, b, amount, flag }) => {
    const [payer, owner] = [at(wallets, a), at(wallets, b)];
    const account = Keypair.generate();
    return {
      instructions: [
        SystemProgram.createAccount({
          fromPubkey: payer.publicKey,
          newAccountPubkey: account.publicKey,
          lamports: RENT + Number(amount),
          space: 165,
          programId: TOKEN_PROGRAM_ID,
        }),
        createInitializeAccount3Instruction(account.publicKey, NATIVE_MINT, owner.publicKey),
        ...(flag
          ? [createCloseAccountInstruction(account.publicKey, payer.publicKey, owner.publicKey)]
          : []),
      ],
      signers: [payer, account, ...(flag ? [owner] : [])],
    };
  },
  'opened for a stranger, sent to before': ({ wallets, tokens }, { a, token, amount, flag }) => {
    const payer = at(wallets, a);
    const kind = at(tokens, token);
    const stranger = Keypair.generate().publicKey;
    const account = ata(stranger, kind);
    return {
      instructions: [
        ...(flag ? [pay(payer.publicKey, account, 900_000)] : []),
        createAssociatedTokenAccountInstruction(
          payer.publicKey,
          account,
          stranger,
          kind.mint,
          kind.program,
        ),
        move(kind, payer.publicKey, stranger, amount),
      ],
      signers: [payer],
    };
  },
  'handed over': ({ wallets, tokens }, { a, b, c, amount, flag }) => {
    const [payer, first, second] = [at(wallets, a), at(wallets, b), at(wallets, c)];
    const kind = flag ? WSOL : at(tokens, 0);
    const account = Keypair.generate();
    return {
      instructions: [
        SystemProgram.createAccount({
          fromPubkey: payer.publicKey,
          newAccountPubkey: account.publicKey,
          lamports: RENT + (flag ? Number(amount) : 0),
          space: 165,
          programId: TOKEN_PROGRAM_ID,
        }),
        createInitializeAccount3Instruction(account.publicKey, kind.mint, first.publicKey),
        createSetAuthorityInstruction(
          account.publicKey,
          first.publicKey,
          AuthorityType.AccountOwner,
          second.publicKey,
        ),
      ],
      signers: [payer, account, first],
    };
  },
  'grown token account': ({ wallets, tokens }, { a, b }) => {
    const [payer, owner] = [at(wallets, a), at(wallets, b)];
    const kind = tokens.find(({ program }) => program.equals(TOKEN_2022_PROGRAM_ID));
    if (!kind) throw new Error('no Token-2022 token');
    return {
      instructions: [
        createReallocateInstruction(
          ata(owner.publicKey, kind),
          payer.publicKey,
          [ExtensionType.MemoTransfer],
          owner.publicKey,
        ),
      ],
      signers: [payer, owner],
    };
  },
  'grown lookup table': ({ wallets, table }, { c }) => {
    const [payer] = wallets;
    if (!payer) throw new Error('no wallet');
    return {
      instructions: [
        AddressLookupTableProgram.extendLookupTable({
          payer: payer.publicKey,
          authority: payer.publicKey,
          lookupTable: table,
          addresses: Array.from({ length: 1 + (c % 3) }, () => Keypair.generate().publicKey),
        }),
      ],
      signers: [payer],
    };
  },
  nonce: ({ wallets }, { a, b, amount, flag }) => {
    const [payer, to] = [at(wallets, a), at(wallets, b)];
    const account = Keypair.generate();
    const lamports = 1_447_680 + (flag ? Number(amount) : 0);
    return {
      instructions: [
        SystemProgram.createAccount({
          fromPubkey: payer.publicKey,
          newAccountPubkey: account.publicKey,
          lamports,
          space: NONCE_ACCOUNT_LENGTH,
          programId: SystemProgram.programId,
        }),
        SystemProgram.nonceInitialize({
          noncePubkey: account.publicKey,
          authorizedPubkey: payer.publicKey,
        }),
        ...(flag
          ? [
              SystemProgram.nonceWithdraw({
                noncePubkey: account.publicKey,
                authorizedPubkey: payer.publicKey,
                toPubkey: to.publicKey,
                lamports: Number(amount),
              }),
            ]
          : []),
      ],
      signers: [payer, account],
    };
  },
  tip: ({ wallets }, { a, amount }) => {
    const from = at(wallets, a);
    return { instructions: [pay(from.publicKey, TIP, amount + 1_000_000n)], signers: [from] };
  },
  'minted and burned': ({ wallets, tokens }, { a, b, token, amount, flag }) => {
    const kind = at(
      tokens.filter(({ authority }) => authority !== null),
      token,
    );
    const [to, from] = [at(wallets, a), at(wallets, b)];
    if (!kind.authority) throw new Error('nobody may mint it');
    const { mint, program, authority } = kind;
    const minted = createMintToInstruction(
      mint,
      ata(to.publicKey, kind),
      authority.publicKey,
      amount + 3n,
      [],
      program,
    );
    const burned = createBurnInstruction(
      ata(from.publicKey, kind),
      mint,
      from.publicKey,
      amount,
      [],
      program,
    );
    return {
      instructions: flag ? [minted, burned] : [minted],
      signers: flag ? [authority, from] : [authority],
    };
  },
};

const pick: fc.Arbitrary<Chosen> = fc.record({
  a: fc.nat(11),
  b: fc.nat(11),
  c: fc.nat(11),
  token: fc.nat(11),
  amount: fc.bigInt({ min: 1_000n, max: 900_000n }),
  flag: fc.boolean(),
});

/** The events of a transaction: one to four of any kind. */
export const happenings = fc.array(fc.tuple(fc.constantFrom(...Object.keys(KINDS)), pick), {
  minLength: 1,
  maxLength: 4,
});

/** Names of all kinds, to see that each occurred. */
export const KIND_NAMES = Object.keys(KINDS);

/** The instructions and signers of what happens. */
export function play(world: World, what: readonly (readonly [string, Chosen])[]): Part {
  const parts = what.map(([kind, picked]) => {
    const make = KINDS[kind];
    if (!make) throw new Error(`no kind ${kind}`);
    return make(world, picked);
  });
  return {
    instructions: parts.flatMap(({ instructions }) => instructions),
    signers: [...new Set(parts.flatMap(({ signers }) => signers))],
  };
}
