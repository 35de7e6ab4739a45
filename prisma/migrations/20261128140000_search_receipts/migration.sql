-- What a receipt can be found by: its wallets, each on its side, and every word of what it is for. Words
-- are runs of letters and digits, so that each part of an invoice number is one.
create function receipt_words(
  seller text, payer text, service_type text, invoice_id text, transaction_type text
) returns tsvector language sql immutable parallel safe cost 1000
  return array_to_tsvector(array['s' || seller, 'p' || payer])
    || to_tsvector('pg_catalog.simple'::regconfig, regexp_replace(
         service_type || ' ' || coalesce(invoice_id, '') || ' ' || coalesce(transaction_type, ''),
         '[^[:alnum:]]+', ' ', 'g'));

-- Receipts with all of the words, or words that begin so; null when there is no word in it.
create function words_query(words text) returns tsquery language sql immutable parallel safe
  return to_tsquery('pg_catalog.simple'::regconfig, replace(nullif(trim(regexp_replace(
    words, '[^[:alnum:]]+', ' ', 'g')), ''), ' ', ':* & ') || ':*');

create index receipts_words_idx on receipts
  using gin (receipt_words(seller, payer, service_type, invoice_id, transaction_type))
  where released_at is null;
