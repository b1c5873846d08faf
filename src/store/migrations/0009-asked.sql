-- Its owner asked for it, out of turn: what comes of that attempt spends none of the schedule, and a
-- failure says nothing against the subscription.
alter table deliveries add column asked boolean not null default false;
