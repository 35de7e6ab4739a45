-- The table had no writer yet. A rate is kept under the day that was asked for, so that a weekend finds the
-- same rate for ever, even if the source later fills the gap.
drop table rates;

create table rates (
  quote text not null,
  day date not null,
  base text not null,
  rate text not null,
  usd_rate text not null,
  source text not null,
  published_on date not null,
  final boolean not null,
  fetched_at timestamptz(3) not null,
  primary key (quote, day),
  check (published_on <= day and day - published_on <= 7)
);
