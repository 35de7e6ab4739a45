-- What arrived is listed for the operator in the order of the chain.
create index ledger_entries_arrived_idx on ledger_entries (slot, signature) where direction = 'in';
