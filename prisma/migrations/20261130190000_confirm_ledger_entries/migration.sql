-- A row may be one node's word: from this time on two nodes are asked for it. Null once both have shown it.
alter table ledger_entries add column recheck_at timestamptz(3) default now();
