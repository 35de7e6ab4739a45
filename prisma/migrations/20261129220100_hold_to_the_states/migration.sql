-- Looks at every old row; reads and writes go on meanwhile.
alter table mints validate constraint mints_stage_check;
alter table receipts validate constraint receipts_valuation_check;
alter table statement_rows validate constraint statement_rows_valuation_check;
alter table collections validate constraint collections_kind_check;
alter table issuer_keys validate constraint issuer_keys_kind_check;
alter table receipt_leg_owners validate constraint receipt_leg_owners_receipt_id_fkey;
alter table private_labels validate constraint private_labels_receipt_id_fkey;
alter table auto_transfers validate constraint auto_transfers_receipt_id_fkey;
alter table history_cursors validate constraint history_cursors_wallet_fkey;
