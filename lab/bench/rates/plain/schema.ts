export const PLAIN_SCHEMA = `
create table plain_platforms (
  id uuid primary key,
  key_hash text not null unique
);
create table plain_agents (
  id uuid primary key,
  good int not null default 0,
  bad int not null default 0,
  score int not null default 100
);
create table plain_events (
  id uuid primary key,
  agent_id uuid not null references plain_agents (id),
  reporter_id uuid not null references plain_platforms (id),
  type text not null,
  data jsonb not null,
  occurred_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index on plain_events (agent_id, created_at);
create table plain_score_history (
  id bigserial primary key,
  agent_id uuid not null references plain_agents (id),
  score int not null,
  event_id uuid not null,
  created_at timestamptz not null default now()
);
create index on plain_score_history (agent_id, created_at);
`
