-- An erasure deletes every notification about an agent, for every account.
create index notifications_agent_id_idx on notifications (agent_id) where agent_id is not null;
