-- What was read from final transactions, which cannot change: each is read from the chain once.

create table read_transfers (
  signature text not null primary key,
  network text not null,
  reading jsonb not null,
  slot bigint,
  block_time timestamptz(3),
  stored_at timestamptz(3) not null
);
