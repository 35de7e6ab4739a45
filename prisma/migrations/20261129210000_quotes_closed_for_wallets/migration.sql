-- Wallets whose payment of a quote was refused: the quote stays open for every other wallet.
alter table quotes add column closed_for text[] not null default '{}';
-- What arrived in the last two days is matched with the quotes that it names.
create index ledger_entries_noted_idx on ledger_entries (created_at) where direction = 'in';
