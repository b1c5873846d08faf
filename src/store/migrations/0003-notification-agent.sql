-- An erasure deletes every notification about an agent, whoever it was written for.
create index notifications_agent_id_idx on notifications (agent_id) where agent_id is not null;
