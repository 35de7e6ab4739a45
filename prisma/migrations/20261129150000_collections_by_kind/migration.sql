-- What a collection is for, and whose mints it takes: its authority is the minter that made it. Both are null
-- for collections made before receipts and statements went into one; no mint goes into those.
alter table collections
  add column minter text,
  add column holds text check (holds in ('receipt', 'statement'));

-- Trees and collections whose transaction is signed: written before it is sent, so that a command that ended
-- early finishes the account it began when it is run again.
create table begun_accounts (
  address text primary key,
  network text not null,
  minter text not null,
  what text not null check (what in ('tree', 'receipt', 'statement')),
  signature text not null unique,
  wire bytea not null,
  last_valid_block_height bigint not null,
  created_at timestamptz(3) not null,
  -- Null while it may still be made.
  outcome text check (outcome in ('landed', 'failed', 'expired', 'abandoned')),
  settled_at timestamptz(3),
  check ((outcome is null) = (settled_at is null))
);

-- Two commands at once make one account, not two.
create unique index begun_accounts_open on begun_accounts (network, minter, what) where outcome is null;

-- When a stolen or lost key stopped counting for good, whatever process still starts with it.
alter table issuer_keys add column revoked_at timestamptz(3);
