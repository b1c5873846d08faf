-- Times are milliseconds since the epoch in bigint: exact, and the same number from wire to disk.
-- Hot tables are keyed by agent_id first, so that they shard and partition by it.

create table owners (
  id uuid primary key,
  email text not null unique,
  name text,
  password_hash text not null,
  tier text not null default 'free',
  -- Tokens of an earlier epoch are refused: how a changed password ends them.
  token_epoch integer not null default 0,
  created_at bigint not null
);

-- Whose password was guessed wrong, or from where, as keyed hashes.
create table login_failures (
  name bytea not null,
  at bigint not null
);
create index login_failures_by_name on login_failures (name, at);
create index login_failures_by_time on login_failures (at);

create table agents (
  id uuid primary key,
  owner_id uuid not null references owners (id),
  display_name text not null,
  -- json, not jsonb: what an owner stored comes back with its keys in his order.
  metadata json not null,
  created_at bigint not null,
  updated_at bigint not null
);
create index agents_by_owner on agents (owner_id, id);

-- Where an agent stands: the one row that each of its events reads, locks and writes. The free
-- half of every page lets updates stay on it (HOT), without touching an index.
create table agent_states (
  agent_id uuid primary key references agents (id),
  owner_id uuid not null,
  status text not null,
  evidence text not null,
  profile text not null,
  -- The score last told, and how often it moved.
  score smallint not null,
  snapshots bigint not null default 0,
  -- The number of the last event; its events are numbered 1, 2, 3… in the order they were folded.
  seq bigint not null default 0,
  quarantined integer not null default 0,
  hour_started_at bigint not null default 0,
  hour_count integer not null default 0,
  updated_at bigint not null
) with (fillfactor = 50);
create index agent_states_by_owner on agent_states (owner_id);

create table platforms (
  id uuid primary key,
  name text not null,
  tier text not null,
  status text not null,
  public_key text,
  owner_id uuid references owners (id),
  created_at bigint not null,
  updated_at bigint not null
);

create table platform_hours (
  platform_id uuid primary key references platforms (id),
  started_at bigint not null,
  count integer not null
) with (fillfactor = 50);

-- Only the SHA-256 of a key is kept.
create table api_keys (
  hash bytea primary key,
  kind text not null,
  principal_id uuid not null,
  created_at bigint not null,
  -- Set when the key was replaced: until then both work.
  expires_at bigint
);
create index api_keys_by_principal on api_keys (principal_id);

create table events (
  agent_id uuid not null,
  seq bigint not null,
  id uuid not null,
  type text not null,
  data json not null,
  occurred_at bigint not null,
  created_at bigint not null,
  reporter_kind text not null,
  reporter_id uuid not null,
  -- Whether it weighs a tenth: said by the agent, its owner, or a platform its owner runs.
  self boolean not null,
  external_id text,
  fraud_flags text[] not null,
  quarantine_reason text,
  is_quarantined boolean not null,
  attestation_verified boolean not null,
  -- Where the review of a held event stands; null for an event that never was held.
  review json,
  primary key (agent_id, seq)
);
create unique index events_by_id on events (id, agent_id);
create index events_awaiting_review on events (created_at, id)
  where is_quarantined and (review ->> 'status') in ('pending', 'appealed');

-- An event's name on its reporter's side, and what it said, so that saying it again is no new event.
create table external_ids (
  reporter_id uuid not null,
  external_id text not null,
  agent_id uuid not null,
  seq bigint not null,
  digest bytea not null,
  primary key (reporter_id, external_id)
);

create table snapshots (
  agent_id uuid not null,
  number bigint not null,
  id uuid not null,
  -- The last event folded into it.
  seq bigint not null,
  score smallint not null,
  event_count integer not null,
  breakdown json not null,
  trigger json not null,
  model_version text not null,
  created_at bigint not null,
  -- When a review changed what had gone into it.
  corrected_at bigint,
  primary key (agent_id, number)
);

create table webhooks (
  id uuid primary key,
  owner_id uuid not null references owners (id),
  url text not null,
  events text[] not null,
  description text,
  sealed_secrets json not null,
  status text not null,
  health json not null,
  created_at bigint not null,
  updated_at bigint not null
);
create index webhooks_by_owner on webhooks (owner_id, id);

-- What there is to tell, written with what caused it.
create table notifications (
  id text primary key,
  owner_id uuid not null,
  agent_id uuid,
  type text not null,
  data json not null,
  created_at bigint not null
);

create table idempotency (
  scope bytea primary key,
  fingerprint bytea not null,
  -- The kept response may hold a one-time secret, so it is encrypted.
  sealed bytea not null,
  expires_at bigint not null
);
create index idempotency_by_expiry on idempotency (expires_at);

create table signing_keys (
  kid text primary key,
  purpose text not null,
  public_jwk json not null,
  sealed_private bytea not null,
  created_at bigint not null,
  retired_at bigint
);

-- Append-only: who did what, when.
create table audit (
  id uuid primary key,
  actor_kind text not null,
  actor_id text,
  action text not null,
  target_kind text,
  target_id text,
  details json not null,
  created_at bigint not null
);

-- Facts about the installation itself: the check value of its secret key, whether it was set up.
create table installation (
  name text primary key,
  value text not null
);
