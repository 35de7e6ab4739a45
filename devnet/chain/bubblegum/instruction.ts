import { createHash } from 'node:crypto';
import type { EmuCtx } from '@/devnet/chain/emulator';
import { refuse } from './errors';
import { ACCOUNT_COMPRESSION, BUBBLEGUM, NOOP } from './program-ids';

const DISCRIMINATOR_BYTES = 8;

/** First bytes of an instruction's data in Anchor: sha256 of `global:` and the name. */
export function discriminator(name: string): string {
  return createHash('sha256')
    .update(`global:${name}`)
    .digest('hex')
    .slice(0, 2 * DISCRIMINATOR_BYTES);
}

export function discriminatorOf(data: Uint8Array): string {
  return Buffer.from(data.subarray(0, DISCRIMINATOR_BYTES)).toString('hex');
}

/** An instruction's accounts by name. */
export type NamedAccounts<Name extends string> = {
  address: Record<Name, string>;
  /** Null when left out. Anchor marks that with the program's own id. */
  optional: (name: Name) => string | null;
  /** Fails the instruction unless the account signed (or, if optional, was left out). */
  requireSigner: (name: Name) => void;
  /** Signers among the accounts after the named ones. */
  furtherSigners: string[];
  /** All accounts after the named ones. */
  further: string[];
};

/**
 * Reads the accounts of an instruction in the order of its IDL. Fails the instruction when some are
 * missing.
 */
export function nameAccounts<const Name extends string>(
  ctx: EmuCtx,
  names: readonly Name[],
): NamedAccounts<Name> {
  if (ctx.accounts.length < names.length) refuse('AccountNotEnoughKeys');
  const key = (index: number) => ctx.keys[index] ?? '';
  const indexOf = new Map(names.map((name, i) => [name, ctx.accounts[i] ?? -1]));
  const address = Object.fromEntries([...indexOf].map(([name, i]) => [name, key(i)])) as Record<
    Name,
    string
  >;
  const optional = (name: Name) => (address[name] === BUBBLEGUM ? null : address[name]);
  return {
    address,
    optional,
    requireSigner: (name) => {
      if (optional(name) !== null && !ctx.isSigner(indexOf.get(name) ?? -1))
        refuse('AccountNotSigner');
    },
    furtherSigners: ctx.accounts.slice(names.length).filter(ctx.isSigner).map(key),
    further: ctx.accounts.slice(names.length).map(key),
  };
}

/** Reads the data of an instruction. Fails the instruction when it cannot be read. */
export function readData<T>(
  data: Uint8Array,
  serializer: { deserialize: (bytes: Uint8Array) => [T, number] },
): T {
  try {
    return serializer.deserialize(data)[0];
  } catch {
    return refuse('InstructionDidNotDeserialize');
  }
}

/** Fails the instruction unless it names V2's noop and compression programs. */
export function requireV2Programs(noop: string, compression: string): void {
  if (noop !== NOOP || compression !== ACCOUNT_COMPRESSION) refuse('InvalidProgramId');
}
