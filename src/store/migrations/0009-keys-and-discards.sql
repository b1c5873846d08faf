-- When a key was last used, at most a minute late: of each key. Before, all keys of an agent, platform or operator had
-- one time.
alter table api_keys add column last_used_at bigint;
-- The time was that of the newest key at that time, as far as is known.
update api_keys set last_used_at = newest.at
from (
  select distinct on (k.principal_id) k.hash, u.at
  from api_keys k join (
    select id, key_last_used_at as at from agents where key_last_used_at is not null
    union all select id, key_last_used_at from platforms where key_last_used_at is not null
    union all select id, last_used_at from operators where last_used_at is not null
  ) u on u.id = k.principal_id and u.at >= k.created_at
  order by k.principal_id, k.created_at desc
) newest
where api_keys.hash = newest.hash;
alter table agents drop column key_last_used_at;
alter table platforms drop column key_last_used_at;
-- Each discard of a platform has a row, not only the latest.
alter table discards drop constraint discards_pkey;
alter table discards add primary key (platform_id, requested_at);
-- How many agents there were when it began, null while they are not counted, and how many of them, in the order of ids,
-- were looked at. A discard that is going on during the upgrade is never counted: it passed agents without counting them.
alter table discards add column agents_in_all integer;
alter table discards add column agents_passed integer not null default 0;
