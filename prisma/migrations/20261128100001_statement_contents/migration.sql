-- All that a statement's answer is made of is in its own rows, so that it is the same for ever.
alter table statements add column complete boolean not null default true;
alter table statements add column skipped jsonb not null default '{}';
alter table statement_rows add column amount_sent_raw bigint not null default 0;
alter table statement_rows add column fee_withheld_raw bigint not null default 0;
alter table statement_rows add column service_type text;
alter table statement_rows add column transaction_type text;
alter table statement_rows add column invoice_id text;
alter table statement_rows add column metadata_uri text;
alter table statements alter column complete drop default;
alter table statements alter column skipped drop default;
alter table statement_rows alter column amount_sent_raw drop default;
alter table statement_rows alter column fee_withheld_raw drop default;
alter table statements add constraint statements_mode_check check (mode in ('list', 'scan'));
alter table statement_rows add constraint statement_rows_role_check check (role in ('payer', 'seller'));
