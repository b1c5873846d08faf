-- By which model an agent's evidence was folded; empty where by another or by more than one, so that it
-- is folded again from the log.
alter table standings add column model_version text not null default '';
create index standings_by_model on standings (model_version);
