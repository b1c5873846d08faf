-- Whether the platform reports only problems: then it is not established, verified or not. Written with its statistics,
-- so of a platform that was there before it is false until the next report.
alter table reporters add column only_problems boolean not null default false;
