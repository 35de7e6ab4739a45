import { createHash } from 'node:crypto';
import { address, isOffCurveAddress } from '@solana/kit';
import bs58 from 'bs58';
import {
  ASSOCIATED_TOKEN,
  MEMO_PROGRAMS,
  SYSTEM,
  TOKEN,
  WRAPPED_SOL,
} from '@quittance/verify/chain/programs';
import { rawTransactionSchema, type RawTransaction } from '@quittance/verify/chain/raw-transaction';

export const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
export const RENT = 2_039_280n;
export const FEE = 5_000n;
export const SOL = 1_000_000_000n;
export const BLOCK_TIME = 1_747_059_490;

const addresses = new Map<string, string>();

/**
 * A stable address for a name. It is one that a wallet can have, or one that only a program can
 * have if the name begins with `pda`. Names that are addresses stay unchanged.
 */
export function named(name: string): string {
  if (name.length >= 32) return name;
  const known = addresses.get(name);
  if (known !== undefined) return known;
  const wantsProgram = name.startsWith('pda');
  for (let salt = 0; ; salt += 1) {
    const text = bs58.encode(
      createHash('sha256')
        .update(`${name}${salt || ''}`)
        .digest(),
    );
    if (isOffCurveAddress(address(text)) !== wantsProgram) continue;
    addresses.set(name, text);
    return text;
  }
}

type Token = { mint: string; owner: string | null; amount: bigint };
type Side = { lamports: Map<string, bigint>; tokens: Map<string, Token> };
type Made = { program: string; accounts: string[]; data: Buffer };

/**
 * A small ledger that executes instructions and records a node's answer (`json` encoding). Names
 * represent addresses. The first wallet pays the network fee, and every listed signer signs.
 */
export class MadeTransaction {
  private readonly keys: string[] = [];
  private readonly before: Side = { lamports: new Map(), tokens: new Map() };
  private readonly after: Side = { lamports: new Map(), tokens: new Map() };
  private readonly top: { own: Made; inner: Made[] }[] = [];
  private signers = 1;
  private decimals = new Map<string, number>([[USDC, 6]]);
  private program: string = TOKEN;

  constructor(o: { feePayer: string; lamports?: bigint; signers?: string[] }) {
    this.wallet(o.feePayer, o.lamports ?? 10n * SOL);
    for (const signer of o.signers ?? []) this.wallet(signer, 5n * SOL);
    this.signers = 1 + (o.signers?.length ?? 0);
  }

  /** Tokens of this mint have decimals other than 6, or another token program. */
  mint(mint: string, o: { decimals?: number; program?: string }): this {
    this.decimals.set(named(mint), o.decimals ?? 6);
    if (o.program) this.program = o.program;
    return this;
  }

  wallet(name: string, lamports: bigint): this {
    this.key(name);
    this.before.lamports.set(named(name), lamports);
    this.after.lamports.set(named(name), lamports);
    return this;
  }

  /** A token account that exists already. owner null: the node recorded no owner. */
  account(name: string, o: { mint?: string; owner: string | null; amount: bigint }): this {
    const token = {
      mint: named(o.mint ?? USDC),
      owner: o.owner === null ? null : named(o.owner),
      amount: o.amount,
    };
    this.wallet(name, token.mint === WRAPPED_SOL ? RENT + o.amount : RENT);
    this.before.tokens.set(named(name), { ...token });
    this.after.tokens.set(named(name), { ...token });
    return this;
  }

  /** Moves tokens. The `withheld` part never arrives. `shown: false` leaves the instruction out. */
  send(
    source: string,
    destination: string,
    amount: bigint,
    o: {
      authority: string;
      by?: string;
      withheld?: bigint;
      extra?: string[];
      checked?: boolean;
      shown?: boolean;
    },
  ): this {
    const from = this.token(source);
    const to = this.token(destination);
    from.amount -= amount;
    to.amount += amount - (o.withheld ?? 0n);
    if (from.mint === WRAPPED_SOL) this.moveLamports(source, destination, amount);
    if (o.shown === false) return this;
    const extra = o.extra ?? [];
    const decimals = this.decimals.get(from.mint) ?? 0;
    return o.checked === false
      ? this.add(this.program, [source, destination, o.authority, ...extra], [3, amount], o.by)
      : this.add(
          this.program,
          [source, from.mint, destination, o.authority, ...extra],
          [12, amount, decimals],
          o.by,
        );
  }

  sendSol(
    from: string,
    to: string,
    lamports: bigint,
    o: { by?: string; extra?: string[] } = {},
  ): this {
    if (!this.after.lamports.has(named(to))) this.wallet(to, 0n);
    this.moveLamports(from, to, lamports);
    return this.add(SYSTEM, [from, to, ...(o.extra ?? [])], [u32(2), lamports], o.by);
  }

  /** Lamports that change without any instruction, as programs may do with their own accounts. */
  moveLamports(from: string, to: string, lamports: bigint): this {
    const side = this.after.lamports;
    side.set(named(from), (side.get(named(from)) ?? 0n) - lamports);
    side.set(named(to), (side.get(named(to)) ?? 0n) + lamports);
    return this;
  }

  /** Creates an associated token account. `owner` goes into the balances unless `silent`. */
  open(name: string, o: { mint?: string; owner: string; payer: string; silent?: boolean }): this {
    if (!this.after.lamports.has(named(name))) this.wallet(name, 0n);
    const mint = named(o.mint ?? USDC);
    this.after.tokens.set(named(name), {
      mint,
      owner: o.silent ? null : named(o.owner),
      amount: 0n,
    });
    this.add(ASSOCIATED_TOKEN, [o.payer, name, o.owner, mint, SYSTEM, this.program], [1]);
    this.moveLamports(o.payer, name, RENT);
    const by = ASSOCIATED_TOKEN;
    this.add(SYSTEM, [o.payer, name], [u32(0), RENT, 165n, bs58.decode(this.program)], by);
    return this.add(this.program, [name, mint], [18, bs58.decode(named(o.owner))], by);
  }

  close(name: string, destination: string, owner: string, by?: string): this {
    this.moveLamports(name, destination, this.after.lamports.get(named(name)) ?? 0n);
    this.after.tokens.delete(named(name));
    return this.add(this.program, [name, destination, owner], [9], by);
  }

  /** SetAuthority(AccountOwner): the account gets another owner. */
  handOver(name: string, owner: string, newOwner: string): this {
    const token = this.token(name);
    if (token.owner !== null) token.owner = named(newOwner);
    return this.add(this.program, [name, owner], [6, 2, 1, bs58.decode(named(newOwner))]);
  }

  /** Wraps lamports that were sent to a wrapped SOL account. */
  sync(name: string, lamports: bigint): this {
    this.token(name).amount += lamports;
    return this.add(this.program, [name], [17]);
  }

  mintTo(name: string, amount: bigint): this {
    this.token(name).amount += amount;
    return this.add(this.program, [this.token(name).mint, name, 'mint authority'], [7, amount]);
  }

  burn(name: string, amount: bigint, owner: string): this {
    this.token(name).amount -= amount;
    return this.add(this.program, [name, this.token(name).mint, owner], [8, amount]);
  }

  memo(text: string, by?: string): this {
    return this.add(MEMO_PROGRAMS.v3, [], [Buffer.from(text)], by);
  }

  /** Any instruction. With `by`, one that this program called. */
  add(
    program: string,
    accounts: string[],
    parts: (number | bigint | Uint8Array)[],
    by?: string,
  ): this {
    const own = { program: named(program), accounts: accounts.map(named), data: bytesOf(parts) };
    const last = this.top.at(-1);
    if (by === undefined) this.top.push({ own, inner: [] });
    else if (last?.own.program === named(by)) last.inner.push(own);
    else
      this.top.push({
        own: { program: named(by), accounts: [], data: Buffer.alloc(1) },
        inner: [own],
      });
    return this;
  }

  /** The answer of the node. */
  raw(o: { err?: unknown; blockTime?: number | null; inner?: null } = {}): RawTransaction {
    for (const { own, inner } of this.top)
      for (const made of [own, ...inner])
        [...made.accounts, made.program].forEach((key) => this.key(key));
    const feePayer = this.keys[0] ?? '';
    const paid = new Map(this.after.lamports);
    paid.set(feePayer, (paid.get(feePayer) ?? 0n) - FEE);
    const compiled = ({ program, accounts, data }: Made) => ({
      programIdIndex: this.key(program),
      accounts: accounts.map((account) => this.key(account)),
      data: bs58.encode(data),
    });
    const balances = (side: Side) =>
      [...side.tokens].map(([account, { mint, owner, amount }]) => ({
        accountIndex: this.key(account),
        mint,
        ...(owner === null ? {} : { owner }),
        programId: this.program,
        uiTokenAmount: { amount: amount.toString(), decimals: this.decimals.get(mint) ?? 0 },
      }));
    return rawTransactionSchema.parse({
      slot: 250_000_000,
      blockTime: o.blockTime === undefined ? BLOCK_TIME : o.blockTime,
      version: 'legacy',
      transaction: {
        signatures: [bs58.encode(Buffer.alloc(64, 7))],
        message: {
          accountKeys: this.keys,
          header: { numRequiredSignatures: this.signers },
          instructions: this.top.map(({ own }) => compiled(own)),
        },
      },
      meta: {
        err: o.err ?? null,
        fee: Number(FEE),
        preBalances: this.keys.map((key) => Number(this.before.lamports.get(key) ?? 1n)),
        postBalances: this.keys.map((key) => Number(paid.get(key) ?? 1n)),
        preTokenBalances: balances(this.before),
        postTokenBalances: balances(this.after),
        innerInstructions:
          o.inner === null
            ? null
            : this.top.flatMap(({ inner }, index) =>
                inner.length === 0 ? [] : [{ index, instructions: inner.map(compiled) }],
              ),
        loadedAddresses: { writable: [], readonly: [] },
      },
    });
  }

  private token(name: string): Token {
    const token = this.after.tokens.get(named(name));
    if (!token) throw new Error(`${name} is no token account`);
    return token;
  }

  private key(name: string): number {
    const address = named(name);
    const index = this.keys.indexOf(address);
    return index === -1 ? this.keys.push(address) - 1 : index;
  }
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** Numbers become one byte, bigints eight (little end first). */
function bytesOf(parts: (number | bigint | Uint8Array)[]): Buffer {
  return Buffer.concat(
    parts.map((part) => {
      if (typeof part === 'number') return Buffer.from([part]);
      if (typeof part !== 'bigint') return Buffer.from(part);
      const bytes = Buffer.alloc(8);
      bytes.writeBigUInt64LE(part);
      return bytes;
    }),
  );
}
