-- What arrives at PAY_TO and what leaves it, as the chain shows it, whether or not anybody presents it.

-- An account whose history is read: a wallet of ours (its SOL) or one of its token accounts.
create table ledger_accounts (
  account text primary key,
  wallet text not null,
  -- Token mint; null for the SOL of the wallet itself.
  mint text,
  -- Symbol in the token table; null for a mint that is not in it, which is only counted.
  token text,
  decimals integer not null,
  -- All final transactions up to this slot are in the ledger, and they add up to the balance.
  up_to_slot bigint,
  balance_raw bigint,
  balance_slot bigint,
  -- Balance minus the sum of the entries, as of the last complete look.
  difference_raw bigint not null default 0,
  differs_since timestamptz(3),
  checked_at timestamptz(3),
  created_at timestamptz(3) not null
);
create index ledger_accounts_wallet_idx on ledger_accounts (wallet);

-- What one transaction did to one account. `none`: it names the account and moves nothing of it.
create table ledger_entries (
  signature text not null,
  account text not null,
  wallet text not null,
  mint text,
  token text not null,
  decimals integer not null,
  direction text not null,
  amount_raw bigint not null,
  -- The part of what left that no other owner got: network fees and rent.
  cost_raw bigint not null default 0,
  before_raw bigint not null,
  after_raw bigint not null,
  -- Owners on the other side, with what each gave or got: [{owner, amount}].
  parties jsonb not null,
  memos jsonb not null,
  slot bigint not null,
  -- Order within the slot, oldest first, as the nodes list the account's history; null until listed.
  position integer,
  block_time timestamptz(3) not null,
  -- What it was for; null where nobody has said. See server/payments/ledger/read-movements.ts.
  purpose text,
  created_at timestamptz(3) not null,
  primary key (signature, account),
  constraint ledger_entries_direction_check check (direction in ('in', 'out', 'none')),
  constraint ledger_entries_amount_check check (amount_raw >= 0 and cost_raw >= 0 and cost_raw <= amount_raw),
  constraint ledger_entries_change_check check (
    after_raw - before_raw = case direction when 'in' then amount_raw when 'out' then -amount_raw else 0 end),
  constraint ledger_entries_purpose_check check (
    purpose is null or purpose in ('internal', 'cost', 'refund', 'withdrawal'))
);
create index ledger_entries_account_slot_idx on ledger_entries (account, slot) include (before_raw, after_raw);
-- What left and nobody has explained: few, and asked for by every purchase.
create index ledger_entries_unexplained_idx on ledger_entries (slot) where direction = 'out' and purpose is null;

-- A refund on record: one transaction stands for one payment, and a payment may have several.
create table ledger_refunds (
  refund_signature text primary key,
  payment_signature text not null,
  token text not null,
  amount_raw bigint not null,
  from_wallet text not null,
  -- Whether it left PAY_TO, so that it is an entry as well.
  from_ledger boolean not null,
  recorded_at timestamptz(3) not null,
  constraint ledger_refunds_amount_check check (amount_raw > 0)
);
create index ledger_refunds_payment_idx on ledger_refunds (payment_signature);

-- What the operator has set aside to give it back.
create table ledger_holds (
  payment_signature text primary key,
  held_until timestamptz(3) not null
);

-- The books of a day, by token: what came in equals what it became.
create table ledger_reconciliations (
  day date not null,
  -- Token mint, or `SOL`.
  asset text not null,
  token text not null,
  decimals integer not null,
  came_in_raw bigint not null,
  bought_raw bigint not null,
  refunded_raw bigint not null,
  unused_raw bigint not null,
  withdrawn_raw bigint not null,
  costs_raw bigint not null,
  internal_raw bigint not null,
  unexplained_raw bigint not null,
  unbacked_raw bigint not null,
  balance_raw bigint not null,
  difference_raw bigint not null,
  made_at timestamptz(3) not null,
  primary key (day, asset)
);

-- Wallets that were ever paid are found without reading every payment.
create index payments_pay_to_idx on payments (pay_to);

-- Refunds that are on record already: of the whole payment, each.
insert into ledger_refunds
  (refund_signature, payment_signature, token, amount_raw, from_wallet, from_ledger, recorded_at)
select refund_signature, signature, 'USDC', amount_micros, pay_to, false, updated_at
from payments
where state = 'refunded' and refund_signature is not null and signature is not null and amount_micros > 0;
