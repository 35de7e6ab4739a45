-- What a seller's summary by country sums and limits, so that it reads one table.
alter table payer_jurisdictions add column usd_micros bigint not null default 0;
alter table payer_jurisdictions alter column usd_micros drop default;
alter table payer_jurisdictions add column block_time timestamptz(3) not null default now();
alter table payer_jurisdictions alter column block_time drop default;
alter table payer_jurisdictions add constraint payer_jurisdictions_country_check
  check (country ~ '^[A-Z]{2}$');
create index payer_jurisdictions_seller_sums_idx on payer_jurisdictions (seller, block_time)
  include (country, usd_micros, receipt_id);
create index payer_jurisdictions_recorded_at_idx on payer_jurisdictions (recorded_at);

-- Pages and sums of one wallet's receipts come out of these alone: they replace the plain ones.
create index receipts_payer_sums_idx on receipts (payer, block_time, id)
  include (mint, token, decimals, amount_raw, usd_micros, valuation) where released_at is null;
create index receipts_seller_sums_idx on receipts (seller, block_time, id)
  include (mint, token, decimals, amount_raw, usd_micros, valuation) where released_at is null;
drop index receipts_payer_block_time_id_idx;
drop index receipts_seller_block_time_id_idx;
create index receipts_released_at_idx on receipts (id) where released_at is not null;

-- Sign-in with Solana: a nonce is good once, a session is known by the hash of its token.
create table sign_in_nonces (
  nonce text not null primary key,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3)
);
create index sign_in_nonces_expires_at_idx on sign_in_nonces (expires_at);

create table sessions (
  token_sha256 text not null primary key,
  wallet text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
create index sessions_expires_at_idx on sessions (expires_at);

-- Signed texts that carry a time and count once.
create table used_proofs (
  text_sha256 text not null primary key,
  expires_at timestamptz(3) not null
);
create index used_proofs_expires_at_idx on used_proofs (expires_at);

create table private_labels (
  wallet text not null,
  receipt_id text not null,
  label text not null,
  updated_at timestamptz(3) not null,
  primary key (wallet, receipt_id)
);

alter table registrations add column looked_at timestamptz(3);
create index registrations_looked_at_idx on registrations (looked_at);

-- How far the history of an account of a registered wallet has been gone through.
create table history_cursors (
  wallet text not null,
  account text not null,
  slot bigint not null,
  primary key (wallet, account)
);

-- Transactions that may need an automatic receipt, and what became of each.
create table auto_transfers (
  tx_signature text not null primary key,
  state text not null,
  reason text,
  seller text,
  payer text,
  mint text,
  token text,
  decimals integer,
  amount_raw bigint,
  usd_micros bigint,
  slot bigint,
  block_time timestamptz(3),
  receipt_id text,
  waived boolean not null default false,
  looks integer not null default 0,
  look_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint auto_transfers_state_check check (state in ('noted', 'fee_due', 'receipted', 'skipped'))
);
create index auto_transfers_state_look_at_idx on auto_transfers (state, look_at);
create index auto_transfers_seller_state_block_time_idx on auto_transfers (seller, state, block_time);
create index auto_transfers_waived_idx on auto_transfers (updated_at) where waived;
