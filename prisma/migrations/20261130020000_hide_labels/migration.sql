-- What people wrote, and the operator keeps off pages, images and lists. Null: it is shown, as before.
alter table receipts add column labels_hidden_at timestamptz(3);
alter table registrations add column name_hidden_at timestamptz(3);
