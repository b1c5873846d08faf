-- When a key of the agent or platform was last used, to the minute.
alter table agents add column key_last_used_at bigint;
alter table platforms add column key_last_used_at bigint;
