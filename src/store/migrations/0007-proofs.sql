-- What an agent's events add up to, as a chain of hashes: each is the SHA-256 of the one before and
-- of the event in its canonical form. The standing has the last one. Empty where the agent is older
-- than this migration: such a chain proves nothing.
alter table agent_states add column chain bytea not null default '';

-- The chain after this event; null while it does not count.
alter table events add column chain bytea;

-- Which status an agent had since when: what it was at any time before.
create table status_changes (
  agent_id uuid not null references agents (id),
  changed_at bigint not null,
  status text not null
);
create index status_changes_by_agent on status_changes (agent_id, changed_at);
