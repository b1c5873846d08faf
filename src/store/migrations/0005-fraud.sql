-- What is remembered of a platform as a reporter: one row, written once for each transaction that
-- takes in events of it.
create table reporters (
  platform_id uuid primary key references platforms (id),
  record text not null
) with (fillfactor = 50);

-- Which owner's platforms speak of which other owner's agents, and how.
create table endorsements (
  from_owner uuid not null,
  to_owner uuid not null,
  good bigint not null,
  bad bigint not null,
  primary key (from_owner, to_owner)
);
create index endorsements_by_target on endorsements (to_owner);

-- What an operator set about a rule; a rule without a row is applied as it comes.
create table fraud_rules (
  rule text primary key,
  mode text not null,
  threshold double precision,
  updated_at bigint not null
);

-- What the rules found, those that only note among them; null where none did.
alter table events add column findings json;
-- What the reporter's word weighed when the event was taken in, 0 to 1.
alter table events add column trust double precision not null default 1;
create index events_found on events (created_at, id) where findings is not null;

-- The key before, while both are accepted.
alter table platforms add column previous_public_key text;
alter table platforms add column previous_key_expires_at bigint;
alter table platforms add column require_attestation boolean not null default false;

-- Each entry names the hash of the one before it, so that none can be taken out or changed unseen.
alter table audit add column number bigint not null;
alter table audit add column hash bytea not null;
create unique index audit_by_number on audit (number);
