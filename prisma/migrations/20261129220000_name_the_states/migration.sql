-- The columns stay text and each has a check, so that the release before, which compares them with text, runs on.
-- The client casts what it sends to the name of an enum: a domain over text without a rule of its own gives it that
-- name, and PostgreSQL plans as if the cast were not there.
create domain mint_kind as text;
create domain mint_status as text;
create domain mint_stage as text;
create domain attempt_outcome as text;
create domain collection_kind as text;
create domain begun_kind as text;
create domain begun_outcome as text;
create domain payment_state as text;
create domain ledger_direction as text;
create domain ledger_purpose as text;
create domain valuation as text;
create domain party as text;
create domain free_mint_scope as text;
create domain statement_mode as text;
create domain undecided_kind as text;
create domain auto_transfer_state as text;
create domain key_kind as text;

-- For new rows from now on; the next migration looks at the old ones, which takes no lock that writes wait for.
alter table mints add constraint mints_stage_check
  check (stage in ('requested', 'final', 'image_stored', 'metadata_stored', 'signed', 'landed', 'recorded', 'closed'))
  not valid;
alter table receipts add constraint receipts_valuation_check check (valuation in ('par', 'fx', 'market')) not valid;
alter table statement_rows add constraint statement_rows_valuation_check
  check (valuation in ('par', 'fx', 'market')) not valid;
alter table collections add constraint collections_kind_check check (kind in ('standard', 'frozen')) not valid;
alter table issuer_keys add constraint issuer_keys_kind_check check (kind in ('creator', 'storage')) not valid;

-- Rows that mean nothing without the row they name. No row that they name is ever deleted.
alter table receipt_leg_owners add constraint receipt_leg_owners_receipt_id_fkey
  foreign key (receipt_id) references receipts (id) not valid;
alter table private_labels add constraint private_labels_receipt_id_fkey
  foreign key (receipt_id) references receipts (id) not valid;
alter table auto_transfers add constraint auto_transfers_receipt_id_fkey
  foreign key (receipt_id) references receipts (id) not valid;
alter table history_cursors add constraint history_cursors_wallet_fkey
  foreign key (wallet) references registrations (wallet_address) not valid;
