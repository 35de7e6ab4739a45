-- What a page prepared a quote's payment for: the request, so that it can be carried out when the page is
-- gone, and how long a payment that may have been sent can still land.
alter table quotes add column request jsonb;
alter table quotes add column prepared_at timestamptz(3);
alter table quotes add column may_be_sent boolean not null default false;
alter table quotes add column lands_until_height bigint;
create index quotes_prepared on quotes (prepared_at) where may_be_sent;
create index quotes_transaction on quotes (tx_signature) where may_be_sent;
