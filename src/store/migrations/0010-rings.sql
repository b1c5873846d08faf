-- The strongest links of one owner, in either direction, without reading the rest of them.
create index vouches_to on vouches (to_owner, good desc);
create index vouches_from on vouches (from_owner, good desc);
drop index vouches_by_target;
