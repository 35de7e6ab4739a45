-- Reads the rows under a lock that lets them be written.
alter table begun_accounts validate constraint begun_accounts_what_check;
