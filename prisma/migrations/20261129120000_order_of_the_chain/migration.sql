-- Position of a transaction in its block, so that rows of one second stand in the order of the chain.
-- The largest integer: not known, which puts a receipt last in its slot.
alter table receipts add column block_index integer not null default 2147483647;

-- Pages and sums of one wallet's receipts, now in the order of the chain.
create index receipts_payer_order_idx on receipts (payer, block_time, slot, block_index, id)
  include (mint, token, decimals, amount_raw, usd_micros, valuation) where released_at is null;
create index receipts_seller_order_idx on receipts (seller, block_time, slot, block_index, id)
  include (mint, token, decimals, amount_raw, usd_micros, valuation) where released_at is null;
drop index receipts_payer_sums_idx;
drop index receipts_seller_sums_idx;
alter index receipts_payer_order_idx rename to receipts_payer_sums_idx;
alter index receipts_seller_order_idx rename to receipts_seller_sums_idx;

-- Receipts whose position is still to be looked up, and the others of a slot.
create index receipts_unplaced_idx on receipts (created_at)
  where block_index = 2147483647 and released_at is null;
create index receipts_slot_idx on receipts (slot);
