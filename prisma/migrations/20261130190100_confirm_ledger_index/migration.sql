-- without a transaction
create index concurrently ledger_entries_recheck_idx on ledger_entries (recheck_at) where recheck_at is not null;
