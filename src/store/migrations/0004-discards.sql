-- Platforms whose reports the operator discards, and how far that is done.
create table discards (
  platform_id uuid primary key,
  platform_owner_id uuid,
  reason text not null,
  requested_at bigint not null,
  -- The last agent, in the order of ids, that was looked at; null before the first.
  after_agent_id uuid,
  -- Agents with the event, and those before that one whose event could not be written yet.
  agents integer not null,
  left_agent_ids uuid[] not null,
  finished_at bigint
);
create index discards_unfinished_idx on discards (requested_at) where finished_at is null;
