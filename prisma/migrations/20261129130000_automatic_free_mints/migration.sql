-- Automatic receipts count for their seller apart from those it asks for. Older code neither writes nor reads
-- the new scope.
alter table free_mints drop constraint free_mints_scope;
alter table free_mints add constraint free_mints_scope
  check (scope in ('wallet', 'auto', 'pair', 'client', 'small', 'all'));
