-- Owners of the further legs of a receipt, beside its payer and its seller: what their exports begin with.
create table receipt_leg_owners (
  owner text not null,
  block_time timestamptz(3) not null,
  receipt_id text not null,
  primary key (owner, block_time, receipt_id)
);

-- Derived from the receipt by the database, so that no writer of receipts can leave it out.
create function note_leg_owners() returns trigger language plpgsql as $$
begin
  insert into receipt_leg_owners (owner, block_time, receipt_id)
  select distinct leg->>'owner', new.block_time, new.id
    from jsonb_array_elements(new.other_legs) leg
   where leg->>'owner' not in (new.payer, new.seller)
  on conflict do nothing;
  return null;
end $$;
create trigger receipts_note_leg_owners after insert on receipts
  for each row when (new.other_legs <> '[]'::jsonb) execute function note_leg_owners();

insert into receipt_leg_owners (owner, block_time, receipt_id)
select distinct leg->>'owner', r.block_time, r.id
  from receipts r cross join lateral jsonb_array_elements(r.other_legs) leg
 where r.other_legs <> '[]'::jsonb and leg->>'owner' not in (r.payer, r.seller)
on conflict do nothing;

-- A statement lists every leg of a transaction; rows of before, one for each transaction, have no number.
alter table statement_rows add column leg integer;
drop index statement_rows_statement_id_tx_signature_key;
create unique index statement_rows_statement_id_tx_signature_leg_key
  on statement_rows (statement_id, tx_signature, coalesce(leg, -1));
-- What changed the wallet's balances beside the rows of a statement, by reason.
alter table statements add column balance_changes jsonb;
