import {
  getCreateCollectionV2InstructionDataSerializer,
  getPluginSerializer,
  type CreateCollectionV2InstructionData,
  type Plugin,
} from '@metaplex-foundation/mpl-core';
import { unwrapOption } from '@metaplex-foundation/umi';
import bs58 from 'bs58';
import { EmuError, type EmuCtx, type Emulator } from '@/devnet/chain/emulator';
import { refuseNotEmulated } from './errors';
import { invokeCreateAccount, invokeTransfer, u32, u64 } from './invoke';
import { BUBBLEGUM, MPL_CORE } from './program-ids';

const CREATE_COLLECTION_V2 = 21;
/** Numbers of MPL Core's Key enum. */
const PLUGIN_HEADER = 3;
const PLUGIN_REGISTRY = 4;
const COLLECTION = 5;
/** Kind u8 and the offset u64 of the registry. */
const HEADER_BYTES = 9;
/** The authority that may change a plugin, numbered like MPL Core's Authority enum. */
const UPDATE_AUTHORITY = Uint8Array.of(2);
const BUBBLEGUM_AUTHORITY = Buffer.concat([Uint8Array.of(3), bs58.decode(BUBBLEGUM)]);
const COMPUTE_UNITS = 20_000;

/**
 * MPL Core's create_collection_v2 for the collections that Bubblegum mints into: with the plugin
 * BubblegumV2, and optionally PermanentFreezeDelegate. The account grows for the header and for
 * each plugin like in the program. Other instructions and plugins of MPL Core are not emulated.
 */
export const collectionEmulator: Emulator = {
  programId: MPL_CORE,
  run(ctx) {
    if (ctx.data[0] !== CREATE_COLLECTION_V2)
      return refuseNotEmulated('this instruction of MPL Core');
    ctx.log('Program log: Instruction: CreateCollectionV2');
    const { collection, authority, payer } = readAccounts(ctx);
    const args = readArgs(ctx.data);
    const base = collectionOf({ authority, name: args.name, uri: args.uri });
    invokeCreateAccount(ctx, {
      from: payer,
      address: collection,
      bytes: base.length,
      owner: MPL_CORE,
    });
    let bytes: Uint8Array = base;
    for (const plugins of stepsTo(pluginsOf(args))) {
      const grown = withPlugins(base, plugins);
      const rent = ctx.chain.rent(grown.length) - ctx.chain.rent(bytes.length);
      invokeTransfer(ctx, payer, collection, rent);
      bytes = grown;
    }
    const account = ctx.chain.get(collection);
    if (!account) throw new Error(`no account ${collection} to write to`);
    ctx.chain.set(collection, { ...account, owner: MPL_CORE, data: bytes });
    return { computeUnits: COMPUTE_UNITS };
  },
};

/**
 * Collection, its update authority and payer. A missing authority is the payer, marked by MPL
 * Core's own id.
 */
function readAccounts(ctx: EmuCtx): { collection: string; authority: string; payer: string } {
  const [collectionAt, authorityAt, payerAt, systemAt] = ctx.accounts;
  if (collectionAt === undefined || authorityAt === undefined || payerAt === undefined)
    throw new EmuError('NotEnoughAccountKeys');
  if (systemAt === undefined) throw new EmuError('NotEnoughAccountKeys');
  if (!ctx.isSigner(collectionAt) || !ctx.isSigner(payerAt))
    throw new EmuError('MissingRequiredSignature');
  const payer = ctx.keys[payerAt] ?? '';
  const authority = ctx.keys[authorityAt] ?? '';
  return {
    collection: ctx.keys[collectionAt] ?? '',
    authority: authority === MPL_CORE ? payer : authority,
    payer,
  };
}

function readArgs(data: Uint8Array): CreateCollectionV2InstructionData {
  try {
    return getCreateCollectionV2InstructionDataSerializer().deserialize(data)[0];
  } catch {
    throw new EmuError('InvalidInstructionData');
  }
}

function pluginsOf(args: CreateCollectionV2InstructionData): Plugin[] {
  const given = unwrapOption(args.plugins) ?? [];
  return given.map(({ plugin, authority }) => {
    const isKnown = plugin.__kind === 'BubblegumV2' || plugin.__kind === 'PermanentFreezeDelegate';
    if (!isKnown || unwrapOption(authority) !== null)
      return refuseNotEmulated(`the plugin ${plugin.__kind} with these settings`);
    return plugin;
  });
}

/** An empty collection: its kind, authority and texts, with no items minted or held. */
function collectionOf(o: { authority: string; name: string; uri: string }): Uint8Array {
  const texts = [o.name, o.uri].map((text) => Buffer.from(text));
  const counted = texts.flatMap((bytes) => [u32(bytes.length), bytes]);
  const head = [Uint8Array.of(COLLECTION), bs58.decode(o.authority)];
  return Buffer.concat([...head, ...counted, u32(0), u32(0)]);
}

/**
 * The contents that the account grows to: the header alone, then with one more plugin each time.
 * Without plugins there is no header.
 */
function stepsTo(plugins: Plugin[]): Plugin[][] {
  return plugins.length === 0
    ? []
    : Array.from({ length: plugins.length + 1 }, (_, count) => plugins.slice(0, count));
}

/** The account's bytes: collection, header, plugins, and the registry with their offsets. */
function withPlugins(base: Uint8Array, plugins: Plugin[]): Uint8Array {
  const written = plugins.map((plugin) => getPluginSerializer().serialize(plugin));
  let at = base.length + HEADER_BYTES;
  const records = plugins.map((plugin, index) => {
    const bytes = written[index] ?? new Uint8Array();
    const authority = plugin.__kind === 'BubblegumV2' ? BUBBLEGUM_AUTHORITY : UPDATE_AUTHORITY;
    const record = Buffer.concat([bytes.subarray(0, 1), authority, u64(BigInt(at))]);
    at += bytes.length;
    return record;
  });
  const header = Buffer.concat([Uint8Array.of(PLUGIN_HEADER), u64(BigInt(at))]);
  const registry = [Uint8Array.of(PLUGIN_REGISTRY), u32(records.length), ...records, u32(0)];
  return Uint8Array.from(Buffer.concat([base, header, ...written, ...registry]));
}
