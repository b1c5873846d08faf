-- Nothing was ever written to the sketch of these two, so its columns change without a backfill.
alter table webhooks
  drop column sealed_secrets,
  drop column health,
  -- Null: every agent of the owner.
  add column agent_ids uuid[],
  add column sealed_secret bytea not null,
  -- After a rotation the secret before signs too, until then.
  add column sealed_previous bytea,
  add column previous_until bigint,
  add column consecutive_failures integer not null default 0,
  -- Nothing is sent before: a Retry-After while active, the next probe while paused.
  add column not_before bigint,
  add column changed_at bigint,
  add column reason text,
  -- Deleted for its owner; the row goes once its deliveries have been cleared away, a part at a time.
  add column deleted_at bigint;

drop table notifications;

-- What there is to tell, written with what caused it where somebody asked. An agent's notifications are
-- numbered in the order committed: whatever causes one holds that agent's standing.
create table notifications (
  seq bigint generated always as identity primary key,
  id text not null unique,
  owner_id uuid not null,
  agent_id uuid,
  type text not null,
  data json not null,
  created_at bigint not null,
  -- By it a reader knows what is still to be committed before what it sees.
  transaction xid8 not null default pg_current_xact_id()
);
create index notifications_by_owner on notifications (owner_id, created_at);

-- One notice on its way to one subscription, and what came of it.
create table deliveries (
  webhook_id uuid not null,
  notification_seq bigint not null,
  -- What goes one after the other: an agent's id, or an id of its own for what waits for nothing.
  lane uuid not null,
  status text not null default 'pending',
  next_at bigint not null,
  -- Attempts since it was last queued, by which the schedule goes, and in all.
  tries integer not null default 0,
  attempts integer not null default 0,
  -- The latest of them: when, how long, what was answered.
  log json[] not null default '{}',
  created_at bigint not null,
  finished_at bigint,
  primary key (webhook_id, notification_seq)
);
create index deliveries_pending on deliveries (webhook_id, lane, notification_seq)
  where status = 'pending';
create index deliveries_failed on deliveries (webhook_id, notification_seq) where status = 'failed';

-- The queue: a row for each lane in which something waits, and none else. Who locks it may send of
-- it, so a lane is never in two hands, and a notice that fails hides those behind it from the claim.
create table lanes (
  webhook_id uuid not null,
  lane uuid not null,
  -- When its first delivery may be tried; while it is claimed, when the claim ends.
  due_at bigint not null,
  claim bigint,
  node uuid,
  -- Deliveries claimed and not yet recorded or given back.
  held integer not null default 0,
  primary key (webhook_id, lane)
) with (
  -- A queue is mostly dead rows: they are cleared by their number, not by their share of the table.
  fillfactor = 70,
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_cost_delay = 0
);
create index lanes_due on lanes (webhook_id, due_at);

create sequence claims;

-- The nodes that deliver, each alive until it says so again.
create table delivery_nodes (
  id uuid primary key,
  alive_until bigint not null
);

-- Who follows notifications live, from a transaction on: for these they are written too.
create table listeners (
  id uuid primary key,
  owner_id uuid not null,
  events text[] not null,
  agent_ids uuid[],
  transaction xid8 not null,
  created_at bigint not null,
  expires_at bigint not null
);
create index listeners_by_owner on listeners (owner_id, created_at);
