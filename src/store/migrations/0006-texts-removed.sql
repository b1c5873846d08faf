-- Up to which event retention has removed the texts of an agent: it looks only at those behind it.
alter table agent_states add column texts_removed_seq bigint not null default 0;
