-- Points taken by clients and wallets in the current minute. Not logged: after a crash everybody begins anew.
create unlogged table rate_limits (
  key text primary key,
  points integer not null default 0,
  expire bigint
);

-- Free receipts written in a UTC day: by wallet, by pair of wallets, and by all together.
create table free_mints (
  day date not null,
  scope text not null,
  key text not null,
  used integer not null,
  primary key (day, scope, key),
  constraint free_mints_scope check (scope in ('wallet', 'pair', 'all'))
);
