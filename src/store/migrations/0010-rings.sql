-- The strongest links of one owner, in either direction, without reading the rest of them.
create index endorsements_to on endorsements (to_owner, good desc);
create index endorsements_from on endorsements (from_owner, good desc);
drop index endorsements_by_target;
