import type { PrismaClient } from '@/generated/prisma/client';

/** Length of a receipt id. */
const ID_LENGTH = 12;
/** Addresses are at least this long. Tests also use short names in their place. */
const ADDRESS_LENGTH = 32;

/**
 * The id of the nth filled receipt of a wallet. Receipts of a short name have `{first letter}00000000000` and on.
 * Those of an address begin with six of its characters, so that no two wallets share ids and each id is valid.
 */
export function filledId(wallet: string, n: number): string {
  const prefix = prefixOf(wallet);
  return prefix + String(n).padStart(ID_LENGTH - prefix.length, '0');
}

function prefixOf(wallet: string): string {
  if (wallet.length < ADDRESS_LENGTH) return wallet.slice(0, 1);
  return wallet
    .toUpperCase()
    .replaceAll(/[ILOU]/g, '')
    .slice(0, 6);
}

/**
 * Fills the tables with receipts of a wallet, with the ids of {@link filledId} from 0 on, in turn as payer and as
 * seller. They are ten minutes apart on one day, unless `perSecond` of them share a time.
 */
export async function fillReceipts(
  db: PrismaClient,
  o: { wallet: string; other: string; count: number; perSecond?: number },
): Promise<void> {
  const { wallet, other, count, perSecond = 1 } = o;
  const prefix = prefixOf(wallet);
  await db.$executeRaw`
    insert into receipts (id, tx_signature, payer, seller, mint, token_program, token, dtif_code,
      decimals, amount_raw, amount_sent_raw, fee_withheld_raw, other_legs, usd_micros, valuation, slot,
      block_time, service_type, invoice_id, reported_by, metadata_item_id, image_item_id, created_at)
    select ${prefix} || lpad(n::text, ${ID_LENGTH - prefix.length}::int, '0'), ${wallet} || ':' || n,
      case when n % 2 = 0 then ${wallet} else ${other} end,
      case when n % 2 = 0 then ${other} else ${wallet} end,
      'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
      'USDC', '5R3XFPZSM', 6, 1000000 + n, 1000000 + n, 0, '[]', 1000000 + n, 'par', 1000 + n,
      timestamptz '2025-01-01T00:00:00Z' + make_interval(secs => (n / ${perSecond}::int) * 600),
      'API access', 'INV-' || n, 'payer', 'item', 'item', now()
    from generate_series(0, ${count - 1}::int) n`;
  await db.$executeRaw`
    insert into mints (id, kind, owner, name, metadata_uri, metadata_item_id, image_item_id, status,
      stage, redrive_at, created_at, updated_at, asset_id, completed_at, final_at)
    select id, 'receipt', payer, 'Receipt', 'https://gateway.irys.xyz/' || id, 'item', 'item',
      'completed', 'closed', now(), now(), now(), payer, now(), now()
    from receipts where tx_signature like ${`${wallet}:%`}`;
}
