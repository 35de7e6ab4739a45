-- Payments of a quote that may still land, one for each wallet: one wallet's payment keeps no other wallet waiting.
-- Older code reads and writes `payment_hint`, `may_be_sent`, `lands_until_height` and `prepared_by` of the quote
-- alone; they are kept up to date beside this table.
create table awaited_payments (
  quote_id text not null,
  -- The wallet that signed or proved itself; empty for a preparation without proof.
  wallet text not null,
  -- Null while the wallet is to send the payment itself.
  signature text,
  lands_until_height bigint not null,
  primary key (quote_id, wallet),
  constraint awaited_payments_quote foreign key (quote_id) references quotes (id) on delete cascade
);

-- `looked_at`: the last look of the sweep. `closed_at`: since when nothing more is to be found out.
alter table quotes add column looked_at timestamptz(3), add column closed_at timestamptz(3);
