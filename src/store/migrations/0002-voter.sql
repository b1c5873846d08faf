-- The owner in whose vote the report counts: all platforms of one owner share one. Null where the reporter votes for
-- itself, for self-reports, and for events of an earlier release, which are folded under the reporter's id.
alter table events add column voter_id uuid;
