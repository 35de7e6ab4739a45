-- The wallet that proved itself when a page prepared a payment that the wallet sends itself. Null without a
-- proof: then the preparation keeps nobody from paying.
alter table quotes add column prepared_by text;
