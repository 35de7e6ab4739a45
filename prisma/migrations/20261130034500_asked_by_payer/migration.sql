-- Whether the payer proved that they asked for the receipt. Of these alone may one go into a frozen collection.
alter table mints add column asked_by_payer boolean not null default false;

-- A frozen collection of receipts may be begun beside the standard one.
alter table begun_accounts drop constraint begun_accounts_what_check;
alter table begun_accounts add constraint begun_accounts_what_check
  check (what in ('tree', 'receipt', 'statement', 'frozen_receipt')) not valid;
