import type { Acct } from '@/devnet/chain/emulator';
import bs58 from 'bs58';
import { u32, u64 } from './invoke';
import { MPL_CORE } from './program-ids';

/** Numbers of MPL Core's Key enum. */
const PLUGIN_HEADER = 3;
const PLUGIN_REGISTRY = 4;
const COLLECTION = 5;
const BUBBLEGUM_PLUGIN = 15;
/** Plugin 6, Attributes, with an empty list. */
const ATTRIBUTES_PLUGIN = 6;
const UPDATE_AUTHORITY = 2;

/** For tests: an MPL Core collection, which no emulated instruction makes, with one plugin. */
export function collectionAccount(o: {
  authority: string;
  /** Whether its plugin is Bubblegum's or another. */
  plugin: boolean;
  minted: number;
  size: number;
}): Acct {
  const head = Buffer.concat([
    Uint8Array.of(COLLECTION),
    bs58.decode(o.authority),
    text('Receipts'),
    text('https://receipts.test/collection'),
    u32(o.minted),
    u32(o.size),
  ]);
  const plugin = o.plugin
    ? Uint8Array.of(BUBBLEGUM_PLUGIN)
    : Uint8Array.of(ATTRIBUTES_PLUGIN, 0, 0, 0, 0);
  const pluginAt = head.length + 9;
  const data = Buffer.concat([
    head,
    Uint8Array.of(PLUGIN_HEADER),
    u64(BigInt(pluginAt + plugin.length)),
    plugin,
    Uint8Array.of(PLUGIN_REGISTRY),
    u32(1),
    Uint8Array.of(plugin[0] ?? 0, UPDATE_AUTHORITY),
    u64(BigInt(pluginAt)),
    u32(0),
  ]);
  return { lamports: 5_000_000n, owner: MPL_CORE, executable: false, data: Uint8Array.from(data) };
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([u32(bytes.length), bytes]);
}
