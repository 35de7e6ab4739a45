-- Transactions whose time is over and of which the nodes cannot prove whether they landed. Nothing is signed
-- anew and nothing is freed for them until the nodes can, or the operator closes them on record.
create table undecided_transactions (
  signature text primary key,
  kind text not null check (kind in ('mint', 'payment', 'transfer', 'fee_payment')),
  -- Mint or payment that waits for it.
  subject text not null,
  reason text not null,
  since timestamptz(3) not null default now(),
  seen_at timestamptz(3) not null default now(),
  closed_at timestamptz(3),
  -- What the operator looked at, in the operator's words.
  closed_note text,
  check ((closed_at is null) = (closed_note is null))
);

-- What the daily look back reads: what ended within the last days.
create index mint_attempts_expired on mint_attempts (settled_at) where outcome = 'expired';
create index mint_attempts_duplicate on mint_attempts (settled_at) where outcome = 'duplicate';
create index payments_failed on payments (updated_at) where state = 'failed';

-- `duplicate`: a mint transaction that landed although another had minted the same receipt.
alter table mint_attempts drop constraint mint_attempts_outcome_check;
alter table mint_attempts add constraint mint_attempts_outcome_check
  check (outcome in ('landed', 'failed', 'expired', 'duplicate'));
