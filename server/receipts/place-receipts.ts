import type { ServiceContext } from '@/server/context';

/** `block_index` of a receipt whose position in its block is not known: it sorts last in its slot. */
export const UNPLACED = 2_147_483_647;

/** Blocks that one round asks for; the next round takes the rest. */
const MOST_BLOCKS = 20;

type Unplaced = { id: string; signature: string; slot: bigint };

/**
 * Looks up the position in the block of receipts that a node before agave 4.0 did not tell it for, where it
 * matters: another receipt of one of the same wallets is in the same slot. Gives how many were placed. A
 * block that no node gives is asked for again for two days. Throws RpcUnavailable; safe to repeat.
 */
export async function placeReceipts({
  db,
  rpc,
}: Pick<ServiceContext, 'db'> & { rpc: Pick<ServiceContext['rpc'], 'getBlock'> }): Promise<number> {
  const unplaced = await listUnplaced(db);
  let placed = 0;
  for (const slot of new Set(unplaced.map((one) => one.slot))) {
    const block = await rpc.getBlock(slot);
    if (!block) continue;
    const places = unplaced.flatMap(({ id, signature, slot: own }) => {
      const at = own === slot ? block.signatures.indexOf(signature) : -1;
      return at < 0 ? [] : [{ id, block_index: at }];
    });
    placed += await db.$executeRaw`
      update receipts set block_index = p.block_index
        from jsonb_to_recordset(${JSON.stringify(places)}::jsonb) as p (id text, block_index integer)
       where receipts.id = p.id and receipts.block_index = ${UNPLACED}`;
  }
  return placed;
}

/** Receipts without a position in slots where a new one of them meets another receipt of its wallets. */
function listUnplaced(db: ServiceContext['db']): Promise<Unplaced[]> {
  return db.$queryRaw<Unplaced[]>`
    with doubtful as (
      select distinct r.slot from receipts r
       where r.block_index = ${UNPLACED}::integer and r.released_at is null
         and r.created_at > now() - interval '2 days'
         and exists (
           select 1 from receipts o
            where o.slot = r.slot and o.id <> r.id and o.released_at is null
              and array[o.payer, o.seller] && array[r.payer, r.seller])
       limit ${MOST_BLOCKS})
    select r.id, r.tx_signature as signature, r.slot
      from receipts r join doubtful on doubtful.slot = r.slot
     where r.block_index = ${UNPLACED}::integer and r.released_at is null`;
}
