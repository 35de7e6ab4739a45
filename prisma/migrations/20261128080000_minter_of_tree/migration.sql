-- The key that a tree takes mints from: its creator, or the delegate it named.
alter table trees add column minter text;
update trees set minter = creator;
alter table trees alter column minter set not null;
