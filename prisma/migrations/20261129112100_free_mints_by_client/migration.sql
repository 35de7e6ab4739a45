-- Two more budgets of free receipts: of a client address (as a keyed hash), and of transfers that are too
-- small to use more than half of a day.
alter table free_mints drop constraint free_mints_scope;
alter table free_mints add constraint free_mints_scope
  check (scope in ('wallet', 'pair', 'client', 'small', 'all'));
