-- A key that leaked: nothing it signed is believed any more.
alter table signing_keys add column revoked_at bigint;

-- One key signs for each purpose at a time.
create unique index signing_keys_in_force on signing_keys (purpose) where retired_at is null;

create table credentials (
  id uuid primary key,
  agent_id uuid not null references agents (id),
  owner_id uuid not null references owners (id),
  -- The owner who endorsements for it; null where the service itself does.
  issuer_id uuid,
  type text not null,
  -- json, not jsonb: claims come back as they were given.
  claims json not null,
  -- Of a score credential: it is revoked when the score falls below.
  minimum_score smallint,
  issued_at bigint not null,
  expires_at bigint,
  revoked_at bigint,
  revocation_reason text,
  -- Its bit in the published status lists; drawn at random, so that neighbours tell nothing.
  status_list integer not null,
  status_index integer not null,
  -- The signature: as which DID, by which key, when.
  issuer text not null,
  kid text not null references signing_keys (kid),
  signed_at bigint not null,
  jwt text not null
);
create index credentials_by_agent on credentials (agent_id, id);
create unique index credentials_by_place on credentials (status_list, status_index);
create index credentials_revoked on credentials (status_list) where revoked_at is not null;
create index credentials_of_score on credentials (agent_id)
  where minimum_score is not null and revoked_at is null;

-- The highest score that a living score credential of the agent claims; 0 where none does. It stands
-- here so that folding an event sees without another look whether it breaks such a claim.
alter table agent_states add column credential_floor smallint not null default 0;
create index agent_states_promising on agent_states (agent_id) where credential_floor > 0;
create index agent_states_suspended on agent_states (agent_id) where status = 'suspended';
