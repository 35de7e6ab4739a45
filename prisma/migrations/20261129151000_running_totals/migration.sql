-- Totals of money for /metrics, kept by triggers in the transaction of what they count: exact, and read without
-- adding up the tables. A total is spread over rows by connection, so that two transactions at the same time
-- seldom wait for each other. Older code neither reads nor writes them, and is counted all the same.
create table running_totals (
  name text not null,
  label text not null,
  shard integer not null,
  amount bigint not null,
  primary key (name, label, shard),
  constraint running_totals_amount check (amount >= 0)
);

create function add_to_total(total text, labelled text, more bigint) returns void language sql as $$
  insert into running_totals (name, label, shard, amount)
  values (total, labelled, pg_backend_pid() % 64, more)
  on conflict (name, label, shard) do update set amount = running_totals.amount + excluded.amount
$$;

-- `fees`: prices of payments when they buy something. `fees_undone`: the same when the purchase is undone. Both
-- only grow, and their difference is what the books of the ledger call bought.
create function count_fees() returns trigger language plpgsql as $$
declare
  bought bigint := 0;
  was_bought bigint := 0;
begin
  if tg_op <> 'DELETE' and new.state = 'used' then bought := coalesce(new.price_micros, 0); end if;
  if tg_op <> 'INSERT' and old.state = 'used' then was_bought := coalesce(old.price_micros, 0); end if;
  if tg_op = 'UPDATE' and bought = was_bought and new.dialect = old.dialect then return null; end if;
  if was_bought > 0 then perform add_to_total('fees_undone', old.dialect, was_bought); end if;
  if bought > 0 then perform add_to_total('fees', new.dialect, bought); end if;
  return null;
end
$$;

create trigger payments_count_fees_written after insert or delete on payments
  for each row execute function count_fees();
create trigger payments_count_fees_changed after update of state, price_micros, dialect on payments
  for each row execute function count_fees();

insert into running_totals (name, label, shard, amount)
select 'fees', dialect, 0, sum(price_micros) from payments
where state = 'used' and price_micros > 0 group by dialect;

-- What a final mint transaction took from the minter, in lamports; null while that is not known.
alter table mint_attempts add column cost_lamports bigint
  constraint mint_attempts_cost_lamports check (cost_lamports >= 0);

-- `mint_cost`: those lamports. `mint_costed`: the transactions that they are of. Counted once for each.
create function count_mint_cost() returns trigger language plpgsql as $$
declare
  of_kind text;
begin
  select kind into of_kind from mints where id = new.mint_id;
  perform add_to_total('mint_cost', of_kind, new.cost_lamports);
  perform add_to_total('mint_costed', of_kind, 1);
  return null;
end
$$;

create trigger mint_attempts_count_cost after update of cost_lamports on mint_attempts
  for each row when (old.cost_lamports is null and new.cost_lamports is not null)
  execute function count_mint_cost();
