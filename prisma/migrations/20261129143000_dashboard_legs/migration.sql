-- Receipts with further legs, by wallet: the totals of a dashboard read these and no others for the legs.
create index receipts_payer_legs_idx on receipts (payer, block_time, slot, block_index, id)
  where released_at is null and other_legs <> '[]'::jsonb;
create index receipts_seller_legs_idx on receipts (seller, block_time, slot, block_index, id)
  where released_at is null and other_legs <> '[]'::jsonb;
