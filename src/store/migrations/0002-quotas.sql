-- How much of its quota each account has used, on all nodes together. An account is named by a keyed
-- hash, so that no address of a caller is kept.

-- Unlogged: counting requests must not wait for the disk, and a minute is soon over. Only a crash of
-- the database itself empties the table, and then every minute begins anew.
create unlogged table quota_requests (
  account bytea primary key,
  started_at bigint not null,
  used integer not null
) with (fillfactor = 50);

-- A month is kept as safely as anything else.
create table quota_lookups (
  account bytea primary key,
  started_at bigint not null,
  used integer not null
) with (fillfactor = 50);
