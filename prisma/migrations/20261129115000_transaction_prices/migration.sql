-- Prices that decided which leg of a transaction is its transfer. They are kept from the first reading on, so
-- that every later reading chooses alike, and outlive readings that a newer reader replaces.
create table transaction_prices (
  network      text not null,
  signature    text not null,
  -- Empty for SOL.
  mint         text not null,
  usd_per_unit text not null,
  basis        text not null check (basis in ('fx', 'market')),
  source       text not null,
  frozen_at    timestamptz(3) not null default now(),
  primary key (network, signature, mint)
);

-- What stands beside the transfer in its transaction: what is left out, goods, change, what an exchange was
-- paid with, and the prices behind the choice. Null for receipts from before these were read.
alter table receipts add column beside jsonb;
