-- By which model an agent's evidence was folded; empty where by another or by more than one, so that it
-- is folded again from the log.
alter table agent_states add column model_version text not null default '';
create index agent_states_by_model on agent_states (model_version);
