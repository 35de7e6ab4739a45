import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MIGRATIONS } from '@/prisma/migrate';
import { alteredTables, checkMigration } from './check-migration';

/** Migrations up to here belong to the first release. No release ran before it. */
const FIRST_RELEASE = '20261129235959';

describe('a migration', () => {
  it.each([
    'drop table rates;',
    'alter table receipts drop column amount;',
    'alter table receipts rename column amount to total;',
    'alter table receipts rename to bills;',
    'alter table receipts alter column slot type numeric;',
    'alter table trees alter column minter set not null;',
    'alter table trees add column colour text not null;',
    "alter table trees add column a text not null default '', add column b text not null;",
    'alter table statements alter column skipped drop default;',
    'create index receipts_slot_idx on receipts (slot);',
    'create unique index payments_x on payments (x);',
    'drop index receipts_slot_idx;',
    'alter table payments add constraint payments_x check (amount > 0);',
    'alter table receipts add constraint receipts_x foreign key (id) references mints (id);',
    'alter table trees add constraint trees_x check (true) not valid; alter table trees validate constraint trees_x;',
    'alter table "payments" add constraint payments_x check (amount > 0);',
    'alter table only public.payments add constraint payments_x check (amount > 0);',
    'create index receipts_slot_idx on public."receipts" (slot);',
    'create index payments_slot_idx on "public"."payments" (slot);',
    '-- contract:\ndrop table rates;',
    '-- First; then this.\ndrop table rates;',
  ])('may not do this to the previous release: %s', (sql) => {
    expect(checkMigration(sql)).toHaveLength(1);
  });

  it.each([
    'create table colours (name text not null); create index colours_idx on colours (name);',
    'create table colours (a text); alter table colours add column b text not null;',
    'create table "colours" (a text); alter table "colours" add column b text not null;',
    'create table colours (a text); alter table colours add column b text not null references trees on delete cascade;',
    "alter table trees add column colour text not null default 'green';",
    'alter table trees add column colour text;',
    'create index trees_idx on trees (minter);',
    '-- without a transaction\ncreate index concurrently receipts_slot_idx on receipts (slot);',
    '-- contract: nothing reads it since 0.2.0\ndrop table rates;',
    'alter table payments drop constraint payments_state; alter table payments add constraint payments_state check (true) not valid;',
    'alter table trees add constraint trees_x check (true);',
    'alter table receipts validate constraint receipts_x;',
    'update receipts set slot = 0 where slot is null;',
    'create function f() returns trigger language plpgsql as $$ begin drop table x; end $$;',
    '-- drop table rates;\nselect 1;',
  ])('may do this: %s', (sql) => {
    expect(checkMigration(sql)).toEqual([]);
  });
});

it('locks no table that it creates, even when it adds a key that deletes', () => {
  const made = 'create table colours (a text);';
  const key = 'add constraint c foreign key (a) references trees (id) on delete cascade;';
  expect(alteredTables(`${made} alter table colours ${key}`)).toEqual([]);
});

it('every migration after the first release can be run under the previous release', () => {
  const names = readdirSync(MIGRATIONS).filter((name) => /^\d{14}_/.test(name));
  expect(names.length).toBeGreaterThan(10);
  for (const name of names.filter((one) => one.slice(0, 14) > FIRST_RELEASE))
    expect(
      checkMigration(readFileSync(join(MIGRATIONS, name, 'migration.sql'), 'utf8')),
      name,
    ).toEqual([]);
});
