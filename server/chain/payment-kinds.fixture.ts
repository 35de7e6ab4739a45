import {
  createAssociatedTokenAccountIdempotentInstruction as openAta,
  createApproveInstruction,
  createCloseAccountInstruction,
  createSyncNativeInstruction,
  createTransferCheckedInstruction,
  createTransferInstruction,
  getAssociatedTokenAddressSync,
  NATIVE_MINT,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token';
import {
  Keypair,
  PublicKey,
  SystemProgram,
  TransactionInstruction,
  type Signer,
} from '@solana/web3.js';
import fc from 'fast-check';
import { MEMO_PROGRAMS } from '@quittance/verify/chain/programs';

/** A token of the property test: at most one of them takes a transfer fee. */
export type TestToken = { mint: PublicKey; program: PublicKey; decimals: number; feeBps: number };

/** The wallets that act, each rich in every token and in SOL, and the tokens. */
export type Stage = {
  wallets: readonly [Keypair, Keypair, Keypair, Keypair];
  plain: TestToken;
  other: TestToken;
  withFee: TestToken;
};

/** The expected reading: a transfer with these facts, or a refusal with this code. */
export type Expected =
  | {
      payer: PublicKey;
      seller: PublicKey;
      mint: PublicKey | null;
      amount: bigint;
      amountSent: bigint;
      otherLegs: bigint[];
    }
  | { code: string };

/** One action: the transaction before it, the action, and the expected reading. */
export type Deed = {
  before: { instructions: TransactionInstruction[]; signers: Signer[] } | null;
  instructions: TransactionInstruction[];
  signers: Signer[];
  expected: Expected;
  /** An account that must be gone afterwards. */
  closed: PublicKey | null;
};

export type Choice = {
  amount: bigint;
  /** A seller who has no account yet, or one of the wallets that have. */
  isNewcomer: boolean;
  isChecked: boolean;
  isSponsored: boolean;
  memo: string | null;
};

/** The free parameters of an action of any kind. */
export const choice: fc.Arbitrary<Choice> = fc.record({
  amount: fc.bigInt({ min: 1_000n, max: 3_000_000n }),
  isNewcomer: fc.boolean(),
  isChecked: fc.boolean(),
  isSponsored: fc.boolean(),
  memo: fc.option(fc.string({ minLength: 1, maxLength: 20 })),
});

export const ata = (wallet: Signer, token: TestToken) =>
  getAssociatedTokenAddressSync(token.mint, wallet.publicKey, true, token.program);
export const open = (payer: Signer, wallet: Signer, token: TestToken) =>
  openAta(payer.publicKey, ata(wallet, token), wallet.publicKey, token.mint, token.program);
const WSOL: TestToken = { mint: NATIVE_MINT, program: TOKEN_PROGRAM_ID, decimals: 9, feeBps: 0 };

function move(o: {
  token: TestToken;
  from: Signer;
  to: Signer;
  amount: bigint;
  isChecked?: boolean;
  by?: Signer;
}): TransactionInstruction {
  const { token, from, to, amount, by = from } = o;
  const [source, target] = [ata(from, token), ata(to, token)];
  return o.isChecked === false && token.feeBps === 0
    ? createTransferInstruction(source, target, by.publicKey, amount, [], token.program)
    : createTransferCheckedInstruction(
        ...([source, token.mint, target, by.publicKey, amount, token.decimals] as const),
        [],
        token.program,
      );
}
const sol = (from: Signer, to: Signer, lamports: bigint) =>
  SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: to.publicKey, lamports });

/** Every kind of transaction, by the name under which the test counts it. */
export const KINDS: Readonly<Record<string, (stage: Stage, c: Choice) => Deed>> = {
  'a plain payment': ({ wallets: [a, b, c], plain }, choice) => {
    const seller = choice.isNewcomer ? Keypair.generate() : b;
    return deed(choice, [c, a], {
      instructions: [
        open(a, seller, plain),
        move({ token: plain, from: a, to: seller, ...choice }),
      ],
      expected: paid(a, seller, plain.mint, choice.amount),
    });
  },
  'a fee that the token withholds': ({ wallets: [a, b, c], withFee }, choice) => {
    const fee = (choice.amount * BigInt(withFee.feeBps) + 9_999n) / 10_000n;
    return deed(choice, [c, a], {
      instructions: [open(a, b, withFee), move({ token: withFee, from: a, to: b, ...choice })],
      expected: { ...paid(a, b, withFee.mint, choice.amount), amount: choice.amount - fee },
    });
  },
  'a delegate who pays': ({ wallets: [a, b, c], plain }, choice) =>
    deed(choice, [c, c], {
      before: {
        instructions: [
          createApproveInstruction(ata(a, plain), c.publicKey, a.publicKey, choice.amount),
        ],
        signers: [a],
      },
      instructions: [open(c, b, plain), move({ token: plain, from: a, to: b, by: c, ...choice })],
      expected: paid(a, b, plain.mint, choice.amount),
    }),
  'a swap of two tokens': ({ wallets: [a, b, c], other, withFee }, choice) =>
    deed(choice, [c, a, b], {
      instructions: [
        move({ token: withFee, from: a, to: b, ...choice }),
        move({ token: other, from: b, to: a, ...choice, amount: choice.amount + 7n }),
      ],
      expected: { code: 'not_a_payment' },
    }),
  'a swap against SOL': ({ wallets: [a, b, c], plain }, choice) =>
    deed(choice, [c, a, b], {
      instructions: [
        move({ token: plain, from: a, to: b, ...choice }),
        sol(b, a, 30_000_000n + choice.amount),
      ],
      expected: { code: 'not_a_payment' },
    }),
  'a token without valuation bought for SOL': ({ wallets: [a, b, c], other }, choice) => {
    const price = 30_000_000n + choice.amount;
    return deed(choice, [c, a, b], {
      instructions: [move({ token: other, from: a, to: b, ...choice }), sol(b, a, price)],
      expected: paid(b, a, null, price),
    });
  },
  'several payers': ({ wallets: [a, b, c, d], plain }, choice) =>
    deed(choice, [d, a, b], {
      instructions: [
        move({ token: plain, from: a, to: c, ...choice }),
        move({ token: plain, from: b, to: c, ...choice }),
      ],
      expected: { code: 'several_payers' },
    }),
  'a batch of payouts': ({ wallets: [a, b, c, d], plain }, choice) =>
    deed(choice, [d, a], {
      instructions: [b, c, d].map((to) => move({ token: plain, from: a, to, ...choice })),
      expected: { code: 'several_sellers' },
    }),
  'one seller and a small cut': ({ wallets: [a, b, c, d], plain }, choice) => {
    const cut = choice.amount / 10n;
    return deed(choice, [d, a], {
      instructions: [
        move({ token: plain, from: a, to: c, ...choice, amount: cut }),
        move({ token: plain, from: a, to: b, ...choice }),
      ],
      expected: { ...paid(a, b, plain.mint, choice.amount), otherLegs: [cut] },
    });
  },
  'native SOL': ({ wallets: [a, b, c] }, choice) => {
    const seller = choice.isNewcomer ? Keypair.generate() : b;
    // Less than the rent of an account cannot be the first that a wallet gets.
    const amount = choice.amount + 2_000_000n;
    return deed(choice, [c, a], {
      instructions: [sol(a, seller, amount)],
      expected: paid(a, seller, null, amount),
    });
  },
  'wrapped SOL that lives for one transaction': ({ wallets: [a, b, c] }, choice) => {
    const wrap = SystemProgram.transfer({
      fromPubkey: a.publicKey,
      toPubkey: ata(a, WSOL),
      lamports: choice.amount,
    });
    return deed(choice, [c, a], {
      instructions: [
        ...[open(a, a, WSOL), open(a, b, WSOL), wrap, createSyncNativeInstruction(ata(a, WSOL))],
        move({ token: WSOL, from: a, to: b, ...choice }),
        createCloseAccountInstruction(ata(a, WSOL), a.publicKey, a.publicKey),
      ],
      expected: paid(a, b, NATIVE_MINT, choice.amount),
      closed: ata(a, WSOL),
    });
  },
  'an account closed after its last payment': ({ wallets: [a, b, c], plain }, choice) => {
    const leaver = Keypair.generate();
    return deed(choice, [c, leaver], {
      before: {
        instructions: [
          sol(a, leaver, 20_000_000n),
          open(a, leaver, plain),
          move({ token: plain, from: a, to: leaver, ...choice }),
        ],
        signers: [a],
      },
      instructions: [
        move({ token: plain, from: leaver, to: b, ...choice }),
        createCloseAccountInstruction(ata(leaver, plain), leaver.publicKey, leaver.publicKey),
      ],
      expected: paid(leaver, b, plain.mint, choice.amount),
      closed: ata(leaver, plain),
    });
  },
  'an account closed and opened again': ({ wallets: [a, , c], plain }, choice) => {
    const returner = Keypair.generate();
    return deed(choice, [c, a], {
      before: {
        instructions: [
          open(a, returner, plain),
          createCloseAccountInstruction(ata(returner, plain), a.publicKey, returner.publicKey),
        ],
        signers: [a, returner],
      },
      instructions: [
        open(a, returner, plain),
        move({ token: plain, from: a, to: returner, ...choice }),
      ],
      expected: paid(a, returner, plain.mint, choice.amount),
    });
  },
  'a transfer to oneself': ({ wallets: [a, , c], plain }, choice) =>
    deed(choice, [c, a], {
      instructions: [move({ token: plain, from: a, to: a, ...choice })],
      expected: { code: 'not_a_payment' },
    }),
  'a payment that failed': ({ wallets: [a, b, c], plain }, choice) =>
    deed(choice, [c, a], {
      instructions: [
        move({ token: plain, from: a, to: b, ...choice }),
        move({ token: plain, from: a, to: b, amount: 10n ** 18n }),
      ],
      expected: { code: 'transaction_failed' },
    }),
};

function paid(payer: Signer, seller: Signer, mint: PublicKey | null, amount: bigint) {
  const parties = { payer: payer.publicKey, seller: seller.publicKey };
  const otherLegs: bigint[] = [];
  return { ...parties, mint, amount, amountSent: amount, otherLegs };
}

/** `sponsor` pays the network fee when the choice says so, else the first of the others does. */
function deed(
  choice: Choice,
  [sponsor, ...actors]: (Keypair | undefined)[],
  o: Partial<Deed> & Pick<Deed, 'instructions' | 'expected'>,
): Deed {
  const signers = [...(choice.isSponsored ? [sponsor] : []), ...actors].filter((one) => !!one);
  const memo =
    choice.memo === null
      ? []
      : [
          new TransactionInstruction({
            programId: new PublicKey(MEMO_PROGRAMS.v3),
            keys: [],
            data: Buffer.from(choice.memo),
          }),
        ];
  return {
    before: null,
    closed: null,
    ...o,
    instructions: [...memo, ...o.instructions],
    signers: [...new Set(signers)],
  };
}
