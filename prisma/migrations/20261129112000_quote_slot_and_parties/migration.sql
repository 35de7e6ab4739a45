-- A payment without memo counts only for a quote that was opened before its block. Slots decide that, so a
-- quote notes the newest slot that a node knew. Null for older rows, and when no node answered: then only
-- the memo or the wallet headers of the payer bind a payment to the quote.
alter table quotes add column opened_slot bigint;

-- Payer and seller of the transaction that a quote of /mint is for. Either may pay, so the quote is a rival
-- for a payment without memo of either. Null for a statement. A row of /mint without them is a rival for
-- every wallet.
alter table quotes add column tx_payer text;
alter table quotes add column tx_seller text;

-- Rivals of a payment: by wallet and price, among those still open in its block.
create index quotes_wallet_price on quotes (wallet, price_micros, open_until);
create index quotes_tx_payer_price on quotes (tx_payer, price_micros, open_until);
create index quotes_tx_seller_price on quotes (tx_seller, price_micros, open_until);
