-- Turns at work that one node does for the whole installation.
create table turns (
  job text primary key,
  -- By the clock of the database, in milliseconds since the epoch: until then no other node begins the work.
  until bigint not null
);
