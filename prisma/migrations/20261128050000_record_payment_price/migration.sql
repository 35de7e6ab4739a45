-- What the payment was taken for: a payment by memo may be larger, and quotes are kept for two days only.
alter table payments add column price_micros bigint;
-- The sweep's question: payments that a process left behind.
create index payments_state_lease_until_idx on payments (state, lease_until);
