-- Whether the agent ever had a published score below that of a new agent. Its index finds the agents that limit the next
-- one of their owner, who may have a hundred thousand others.
alter table agent_states add column was_low boolean not null default false;
update agent_states set was_low = true where score < 100;
update agent_states a set was_low = true from snapshots s
where s.agent_id = a.agent_id and s.score < 100 and not a.was_low;
create index agent_states_was_low_idx on agent_states (owner_id) where was_low;
-- Reports without a counterparty, by provisional platforms and of hard work are folded in another way, so what was folded
-- up to some event is folded again. States of the former form are, when they are read.
delete from checkpoints;
delete from quarantined_evidence;
