-- Payers whose request for a receipt was answered "in progress", because another payment held the transaction.
-- While one waits, a payer whose own payment failed does not get the transaction again at once.
create table waiting_payers (
  tx_signature text not null,
  payer text not null,
  waited_at timestamptz(3) not null,
  primary key (tx_signature, payer)
);
create index waiting_payers_waited_at_idx on waiting_payers (waited_at);
