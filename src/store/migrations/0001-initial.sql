-- Times are milliseconds since the Unix epoch in bigint: exact, and the same number on the wire and on
-- disk. Tables on the path of an event are keyed by agent_id first, so that they can be distributed by it
-- over several servers. They name no other table as a foreign key, and none names them: the other may lie
-- on another server.

-- Accounts. The e-mail is that of the person who opened the account.
create table owners (
  id uuid primary key,
  email text not null unique,
  name text,
  tier text not null default 'free',
  status text not null default 'active',
  created_at bigint not null
);

-- The people of an account. The one who opened it has the id of the account.
create table members (
  id uuid primary key,
  owner_id uuid not null references owners (id),
  -- A person belongs to one account, so that a log-in needs no more than an e-mail.
  email text not null unique,
  name text,
  role text not null,
  -- Null for a person who logs in by OpenID Connect alone.
  password_hash text,
  -- Tokens of an earlier epoch are refused. A changed password and a log-out start a new epoch.
  token_epoch integer not null default 0,
  email_confirmed_at bigint,
  created_at bigint not null
);
create index members_owner_id_id_idx on members (owner_id, id);

-- Named API keys of an account. The hash of each is in api_keys.
create table owner_keys (
  id uuid primary key,
  owner_id uuid not null references owners (id),
  name text not null,
  scopes text[] not null,
  created_by uuid not null,
  created_at bigint not null,
  expires_at bigint,
  revoked_at bigint,
  last_used_at bigint
);
create index owner_keys_owner_id_id_idx on owner_keys (owner_id, id);

-- A log-in, and the one token of it. A session of an earlier epoch than its member's has ended; one that is
-- ended alone is deleted.
create table sessions (
  id uuid primary key,
  member_id uuid not null references members (id) on delete cascade,
  epoch integer not null,
  created_at bigint not null,
  last_used_at bigint not null,
  expires_at bigint not null
);
create index sessions_member_id_id_idx on sessions (member_id, id);
create index sessions_expires_at_idx on sessions (expires_at);

-- Who logs in by OpenID Connect: the provider's name for a person, and the member it stands for.
create table oidc_identities (
  issuer text not null,
  subject text not null,
  member_id uuid not null references members (id) on delete cascade,
  created_at bigint not null,
  primary key (issuer, subject)
);
create index oidc_identities_member_id_idx on oidc_identities (member_id);

-- Only the SHA-256 of the token in an invitation is stored. An accepted invitation is deleted.
create table invitations (
  id uuid primary key,
  -- The account to join, and as what; null for an invitation to open an account.
  owner_id uuid references owners (id),
  role text,
  email text not null,
  token_hash bytea not null unique,
  -- The token went out by mail alone: who has it reads the mail of this address.
  is_mailed boolean not null default false,
  created_at bigint not null,
  expires_at bigint not null
);
create index invitations_owner_id_id_idx on invitations (owner_id, id);
create index invitations_expires_at_idx on invitations (expires_at);

-- The tokens of links to one member: a new password, a confirmed e-mail. Only the SHA-256 of a token is
-- stored, and a token is deleted when it is used.
create table one_time_tokens (
  hash bytea primary key,
  purpose text not null,
  member_id uuid not null references members (id) on delete cascade,
  is_mailed boolean not null,
  created_at bigint not null,
  expires_at bigint not null
);
create index one_time_tokens_member_id_idx on one_time_tokens (member_id);
create index one_time_tokens_expires_at_idx on one_time_tokens (expires_at);

-- Mails to be sent. A token is created when its mail is, so a row holds no secret. An address that no
-- member has is queued like any other: the request takes as long and says the same.
create table mail_queue (
  id uuid primary key,
  kind text not null,
  address text not null,
  invitation_id uuid,
  attempts integer not null default 0,
  -- While a node sends it: when another node may try.
  next_attempt_at bigint not null,
  created_at bigint not null
);
create index mail_queue_next_attempt_at_idx on mail_queue (next_attempt_at);

-- Failed log-ins by e-mail and by address. Both are stored as keyed hashes only.
create table login_failures (
  name bytea not null,
  at bigint not null
);
create index login_failures_name_at_idx on login_failures (name, at);
create index login_failures_at_idx on login_failures (at);

-- Who logged in from where lately, by keyed hashes of e-mail and address together.
create table login_successes (
  name bytea primary key,
  at bigint not null
);
create index login_successes_at_idx on login_successes (at);

create table agents (
  id uuid primary key,
  owner_id uuid not null references owners (id),
  display_name text not null,
  -- json, not jsonb: the owner reads the keys in the order in which they were written.
  metadata json not null,
  has_public_profile boolean not null,
  created_at bigint not null,
  updated_at bigint not null,
  -- The agent that it replaced, with all that was reported of it. An agent is replaced once.
  predecessor_id uuid unique references agents (id),
  -- From then on name, metadata and profile are gone.
  erased_at bigint,
  -- The ids of test data are UUIDs of version 8: no agent is moved from one to the other.
  check ((substr(id::text, 15, 1) = '8') = (substr(owner_id::text, 15, 1) = '8'))
);
create index agents_public_profile_idx on agents (id) where has_public_profile;
create index agents_owner_id_id_idx on agents (owner_id, id);

-- The state of an agent: the one row that each of its events reads, locks and writes. Half of every
-- page is left free, so that an update stays on its page (HOT) and touches no index.
create table agent_states (
  agent_id uuid primary key,
  owner_id uuid not null,
  status text not null,
  evidence bytea not null,
  profile text not null,
  -- The score last published, whether as disputed, and how many snapshots were written of it.
  score smallint not null,
  is_disputed boolean not null,
  snapshot_count bigint not null,
  -- The number of the last event. Events are numbered 1, 2, 3… in the order in which they were folded.
  seq bigint not null,
  -- A hash chain over the events that count: each hash is the SHA-256 of the one before it and of the
  -- event in canonical form. This is the last hash.
  chain bytea not null,
  quarantined_count integer not null,
  -- When a review last made earlier events count.
  corrected_at bigint,
  -- The events of the current hour by reporter, as JSON: no reporter's limit depends on another's.
  reporter_hours text not null,
  -- The highest score claimed by a score credential in force, 0 without one. It is stored here so that
  -- folding an event shows, without another query, whether the score fell below a claim.
  credential_floor smallint not null,
  -- The model that folded the evidence. Empty where more than one did: the log is then folded again.
  model_version text not null,
  -- The agent that replaced it: where reports about it belong now.
  successor_id uuid,
  -- The agent that it acts for, and whether others act for it. They are stored here so that folding an event
  -- shows, without another query, whom else it concerns.
  parent_id uuid,
  is_parent boolean not null default false,
  updated_at bigint not null,
  -- Another number after every change, by which a node sees whether its cached row is current.
  version bigint not null default 0
) with (fillfactor = 50);
create index agent_states_owner_id_idx on agent_states (owner_id);
create index agent_states_model_version_idx on agent_states (model_version);
create index agent_states_credential_floor_idx on agent_states (agent_id) where credential_floor > 0;
create index agent_states_suspended_idx on agent_states (agent_id) where status = 'suspended';
create index agent_states_parent_id_idx on agent_states (parent_id, agent_id) where parent_id is not null;
create index agent_states_parents_idx on agent_states (agent_id) where is_parent;

-- What is to follow for the parents or the children of an agent: a bad report of it, for its parents, or
-- null where its own score moved, for its children. Deleted by the transaction that carries it out.
create table delegation_tasks (
  id uuid primary key,
  agent_id uuid not null references agents (id),
  report json
);

-- Every change of an agent's status, so that its status at a past time is known.
create table agent_status_changes (
  agent_id uuid not null,
  changed_at bigint not null,
  status text not null
);
create index agent_status_changes_agent_id_changed_at_idx
  on agent_status_changes (agent_id, changed_at);

-- Names under which agents are known elsewhere. A claim gives nothing; a verified name is one agent's.
create table identifiers (
  agent_id uuid not null references agents (id),
  id uuid not null,
  type text not null,
  -- In its one canonical spelling.
  value text not null,
  status text not null,
  challenge text not null,
  proof_method text,
  -- The thumbprint or the address of the key that signed; null where no key did.
  proof_key text,
  -- The result of the last check, where that failed.
  problem json,
  failing_since bigint,
  created_at bigint not null,
  verified_at bigint,
  checked_at bigint,
  -- When a verified one is checked again; null where only its holder could prove it again.
  next_check_at bigint,
  primary key (agent_id, id)
);
-- A name can be proven once for live and once for test data.
create unique index identifiers_verified_idx
  on identifiers (value, (substr(agent_id::text, 15, 1) = '8')) where status = 'verified';
create unique index identifiers_value_agent_id_type_idx on identifiers (value, agent_id, type);
create index identifiers_next_check_at_idx on identifiers (next_check_at) where status = 'verified';

-- Agents that were offered to another owner. An agent passes when that owner accepts.
create table transfers (
  id uuid primary key,
  agent_id uuid not null references agents (id),
  from_owner_id uuid not null references owners (id),
  -- To whom it is offered: an owner, or the account of an e-mail. The e-mail is removed when
  -- the offer ends.
  to_owner_id uuid references owners (id),
  to_email text,
  status text not null,
  created_at bigint not null,
  expires_at bigint not null,
  ended_at bigint
);
create unique index transfers_pending_idx on transfers (agent_id) where status = 'pending';
create index transfers_from_owner_id_id_idx on transfers (from_owner_id, id);
create index transfers_to_owner_id_id_idx on transfers (to_owner_id, id);
create index transfers_to_email_idx on transfers (to_email);

create table platforms (
  id uuid primary key,
  name text not null,
  tier text not null,
  status text not null,
  public_key text,
  -- The key before, while both are accepted.
  previous_public_key text,
  previous_key_expires_at bigint,
  require_attestation boolean not null,
  -- Whether the operator has verified it.
  verified boolean not null,
  owner_id uuid references owners (id),
  created_at bigint not null,
  updated_at bigint not null
);

create table platform_hours (
  platform_id uuid primary key references platforms (id),
  started_at bigint not null,
  count integer not null
) with (fillfactor = 50);

-- Statistics about a platform as a reporter: one row, written once by each transaction that stores
-- events of the platform.
create table reporters (
  platform_id uuid primary key references platforms (id),
  stats text not null,
  -- Whether the record alone makes the platform established.
  is_proven boolean not null,
  -- As that of an agent's state.
  version bigint not null default 0
) with (fillfactor = 50);
create index reporters_proven_idx on reporters (platform_id) where is_proven;
create index platforms_verified_idx on platforms (id) where verified and status = 'active';

-- How hard each kind of work of a platform is, learnt from outcomes. A kind is a task class and a
-- difficulty, as the platform names them. Platform 0 has what all platforms begin with.
create table work_stats (
  platform_id uuid not null,
  name text not null,
  stats text not null,
  -- Outcomes that taught it. Where there are too many kinds, those with the fewest are removed.
  seen bigint not null,
  primary key (platform_id, name)
) with (fillfactor = 50);

-- Platforms of the first owner reported on agents of the second. Where both report on each other's, no
-- platform becomes established by it.
create table endorsements (
  from_owner uuid not null,
  to_owner uuid not null,
  primary key (from_owner, to_owner)
);

-- Settings that an operator changed. A rule without a row has its defaults.
create table fraud_rules (
  rule text primary key,
  mode text not null,
  threshold double precision,
  updated_at bigint not null
);

-- Who runs the installation: each has a key of its own, whose hash is in api_keys. `settings` has the key
-- of STANDING_OPERATOR_KEY, `setup` that of the set-up link.
create table operators (
  id uuid primary key,
  name text not null,
  created_at bigint not null,
  revoked_at bigint,
  last_used_at bigint
);
create unique index operators_name_idx on operators (name) where revoked_at is null;

-- Of a key only the SHA-256 is stored.
create table api_keys (
  hash bytea primary key,
  kind text not null,
  principal_id uuid not null,
  created_at bigint not null,
  -- Set when the key was replaced: until then both keys work.
  expires_at bigint
);
create index api_keys_principal_id_idx on api_keys (principal_id);
-- For the sweep of replaced keys. A key in force is not in it.
create index api_keys_expires_at_idx on api_keys (expires_at) where expires_at is not null;

create table events (
  agent_id uuid not null,
  seq bigint not null,
  id uuid not null,
  type text not null,
  data json not null,
  occurred_at bigint not null,
  created_at bigint not null,
  reporter_kind text not null,
  reporter_id uuid not null,
  -- Reported by the agent, its owner, or a platform of its owner: the report weighs a tenth.
  is_self_reported boolean not null,
  external_id text,
  fraud_flags text[] not null,
  -- What the rules found, also those that only record; null where none found anything.
  findings json,
  -- Decided when the event was received, so that the log alone gives the score: how established the
  -- reporter was, how much of the event counts, how hard such work was.
  reporter_weight double precision not null,
  share double precision not null,
  hardness double precision not null,
  -- When the operator imported it with a past; null for an event that was received as it happened.
  imported_at bigint,
  quarantine_reason text,
  is_quarantined boolean not null,
  attestation_verified boolean not null,
  -- The state of the review of a quarantined event; null for an event that was never quarantined.
  review json,
  -- Of the commitments to free text in data, which the chain hashes. Null where there is no text, or where
  -- it was erased and data has the commitments.
  salt uuid,
  -- The hash chain of the agent after this event; null while the event does not count.
  chain bytea,
  primary key (agent_id, seq)
);
create unique index events_id_agent_id_idx on events (id, agent_id);
create index events_awaiting_review_idx on events (created_at, id)
  where is_quarantined and (review ->> 'status') in ('pending', 'appealed');
create index events_agent_id_awaiting_review_idx on events (agent_id, seq)
  where is_quarantined and (review ->> 'status') in ('pending', 'appealed');
-- Released events that do not count yet: each agent's wait until a node has folded its log.
create index events_awaiting_release_idx on events (agent_id, seq)
  where is_quarantined and (review ->> 'status') = 'released';
create index events_findings_idx on events (created_at, id) where findings is not null;
-- For the history of one reporter. Events are stored in the order of their time, so a summary of a few
-- bytes for each part of the table finds them, and writing an event costs nothing more.
create index events_created_at_idx on events using brin (created_at) with (autosummarize = on);

-- Old events, a part of some hundred in one compressed row. Nothing of them is lost: they are listed, folded
-- and verified like others. An agent's events are archived from the first on without a gap, as far as all
-- decisions on them are final, so that no part is changed but to erase texts.
create table archived_events (
  agent_id uuid not null,
  first_seq bigint not null,
  last_seq bigint not null,
  -- When the first and the last one were received.
  first_at bigint not null,
  last_at bigint not null,
  -- The lowest and the highest id, to find an event of the agent by its id.
  first_id uuid not null,
  last_id uuid not null,
  -- Whether one has free text or a name of its reporter, and whether one has findings.
  has_text boolean not null,
  has_findings boolean not null,
  -- Those that were reviewed: entries of the audit log name them.
  reviewed_ids uuid[] not null,
  body bytea not null,
  primary key (agent_id, last_seq)
);
-- The body is compressed already.
alter table archived_events alter column body set storage external;
create index archived_events_last_at_idx on archived_events (last_at);
create index archived_events_reviewed_ids_idx on archived_events using gin (reviewed_ids);

-- The state of an agent after some of its events, one for some five hundred of them: what concerns the
-- past is folded from there on, and not from the first event.
create table checkpoints (
  agent_id uuid not null,
  -- The last event before it, and when that event was received.
  seq bigint not null,
  at bigint not null,
  -- Of the agent's state after that event, as reviews have left it since.
  evidence bytea not null,
  quarantined_count integer not null,
  corrected_at bigint,
  model_version text not null,
  -- What the events up to it moved the score by, as JSON; null until it is computed. Then also the events
  -- since the attribution before that moved it most, and by how much the strongest of them did.
  attribution text,
  moves text,
  up_max double precision,
  down_max double precision,
  primary key (agent_id, seq)
);
create index checkpoints_agent_id_at_idx on checkpoints (agent_id, at, seq);
create index checkpoints_unattributed_idx on checkpoints (agent_id) where attribution is null;

-- The evidence of an agent after an event as it would be if those that await review counted. It is folded on
-- in the background, so that a request for it folds few events.
create table quarantined_evidence (
  agent_id uuid primary key,
  -- The last event before it.
  seq bigint not null,
  evidence bytea not null,
  -- What it depends on: the last correction of the log, a digest of the numbers of the events that await
  -- review, and the model.
  corrected_at bigint,
  events text not null,
  model_version text not null
);

-- The reporter's name for an event, with a digest of its content: the same report again is no new event.
create table external_ids (
  agent_id uuid not null,
  reporter_id uuid not null,
  external_id text not null,
  seq bigint not null,
  digest bytea not null,
  primary key (agent_id, reporter_id, external_id)
);

create table snapshots (
  agent_id uuid not null,
  number bigint not null,
  id uuid not null,
  -- The last event folded into it.
  seq bigint not null,
  score smallint not null,
  event_count integer not null,
  breakdown json not null,
  disputed json not null,
  exposure_limit double precision,
  trigger json not null,
  model_version text not null,
  created_at bigint not null,
  -- When a review changed the events that it is made of.
  corrected_at bigint,
  primary key (agent_id, number)
);
-- An explanation of the change since a snapshot names it by its id.
create index snapshots_id_idx on snapshots (agent_id, id);
-- An owner's new agent starts no higher than the owner's lowest score of the last year. New agents start
-- at 100, so only lower scores matter.
create index snapshots_low_idx on snapshots (agent_id, created_at) where score < 100;

-- Of the snapshots up to this number only the last one of each day, or of each week, is left.
create table thinned_snapshots (
  agent_id uuid primary key,
  number bigint not null
);

-- What accounts ask of the agents that they deal with: of an owner (and its agents) or of a platform.
create table policies (
  holder text not null,
  name text not null,
  policy json not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (holder, name)
);

-- The latest decisions that each platform asked for, for people to look back. Written behind the answers.
create table decisions (
  platform_id uuid not null,
  id uuid not null,
  created_at bigint not null,
  via text not null,
  -- Null where what was asked about led to no agent; then identifier is what it was.
  agent_id uuid,
  identifier text,
  action text,
  verdict text not null,
  reasons json not null,
  score smallint,
  -- Null for a policy that was not stored.
  policy text,
  primary key (platform_id, id)
);
create index decisions_created_at_idx on decisions (created_at);

-- How foreign JSON becomes reports, by the platform that takes it.
create table mappings (
  platform_id uuid not null references platforms (id),
  name text not null,
  mapping json not null,
  -- A payload that becomes a report by it.
  sample json not null,
  -- How senders sign, and the secret that they share with the platform; null where none does.
  signature_scheme text,
  sealed_secret bytea,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (platform_id, name)
);

-- Values of a source, such as the id of a payment, with the agent that a report by a mapping was about:
-- a later payload names the agent by one of them. Only the SHA-256 of a value is stored.
create table remembered_agents (
  platform_id uuid not null,
  mapping text not null,
  value bytea not null,
  agent_id uuid not null,
  expires_at bigint not null,
  primary key (platform_id, mapping, value)
);
create index remembered_agents_agent_id_idx on remembered_agents (agent_id);
create index remembered_agents_expires_at_idx on remembered_agents (expires_at);

create table signing_keys (
  kid text primary key,
  purpose text not null,
  public_jwk json not null,
  sealed_private bytea not null,
  created_at bigint not null,
  -- From then on the key signs nothing more. What it signed stays valid.
  retired_at bigint,
  -- From then on nothing that the key signed is valid.
  revoked_at bigint
);
-- One key signs for each purpose at a time.
create unique index signing_keys_purpose_idx on signing_keys (purpose) where retired_at is null;

create table credentials (
  id uuid primary key,
  agent_id uuid not null references agents (id),
  owner_id uuid not null references owners (id),
  -- The owner who issued it; null where the service itself did.
  issuer_id uuid,
  type text not null,
  -- json, not jsonb: claims are returned as they were given.
  claims json not null,
  -- Of a score credential: it is revoked when the score falls below.
  minimum_score smallint,
  issued_at bigint not null,
  expires_at bigint,
  revoked_at bigint,
  revocation_reason text,
  -- Its bit in the published status lists. The index is random, so that neighbouring bits are unrelated.
  status_list integer not null,
  status_index integer not null,
  -- The signature: the DID that signed, the key, the time.
  issuer text not null,
  kid text not null references signing_keys (kid),
  signed_at bigint not null,
  jwt text not null
);
create index credentials_agent_id_id_idx on credentials (agent_id, id);
create unique index credentials_status_list_status_index_idx
  on credentials (status_list, status_index);
create index credentials_revoked_idx on credentials (status_list) where revoked_at is not null;
create index credentials_minimum_score_idx on credentials (agent_id)
  where minimum_score is not null and revoked_at is null;

-- Agents of others that an owner or a platform watches: it is notified of what anyone may read of them.
create table watches (
  agent_id uuid not null references agents (id),
  holder_id uuid not null,
  created_at bigint not null,
  primary key (agent_id, holder_id)
);
create index watches_holder_id_agent_id_idx on watches (holder_id, agent_id);

create table webhooks (
  id uuid primary key,
  -- The account: an owner or a platform.
  owner_id uuid not null,
  -- Encrypted, because many hold a secret in their path.
  sealed_url bytea not null,
  events text[] not null,
  -- Null: every agent of the owner, and each that it watches.
  agent_ids uuid[],
  description text,
  format text not null,
  sealed_secret bytea not null,
  -- The secret before the last rotation, which signs as well until then.
  sealed_previous bytea,
  previous_until bigint,
  status text not null,
  consecutive_failures integer not null,
  -- Nothing is sent before this time: a Retry-After while active, the next probe while paused.
  not_before bigint,
  changed_at bigint,
  reason text,
  created_at bigint not null,
  updated_at bigint not null,
  -- Deleted for its owner. The row is removed after its deliveries, which are removed in parts.
  deleted_at bigint
);
create index webhooks_owner_id_id_idx on webhooks (owner_id, id);

-- Notifications, written with their cause if they have subscribers. The transaction that writes
-- one holds the lock of its agent's state, so that an agent's notifications are numbered in the order of
-- their commits.
create table notifications (
  seq bigint generated always as identity primary key,
  id text not null unique,
  owner_id uuid not null,
  agent_id uuid,
  type text not null,
  data json not null,
  created_at bigint not null,
  -- Shows a reader which notifications may still be committed before those that are visible.
  transaction_id xid8 not null default pg_current_xact_id()
);
create index notifications_owner_id_created_at_idx on notifications (owner_id, created_at);

-- A notification on its way to a subscription, and the result of each attempt.
create table deliveries (
  webhook_id uuid not null,
  notification_seq bigint not null,
  -- Deliveries with the same key are sent one after the other: the id of the agent, or a random id for
  -- a delivery that waits for no other.
  ordering_key uuid not null,
  status text not null default 'pending',
  next_attempt_at bigint not null,
  -- Its owner asked for the next attempt. A failure of that attempt counts neither in the retry
  -- schedule nor against the subscription.
  is_requested boolean not null default false,
  -- Attempts since it was last queued, which is the position in the retry schedule, and in all.
  scheduled_attempts integer not null default 0,
  attempts integer not null default 0,
  -- The latest attempts: time, duration, response.
  log json[] not null default '{}',
  created_at bigint not null,
  finished_at bigint,
  primary key (webhook_id, notification_seq)
);
create index deliveries_pending_idx on deliveries (webhook_id, ordering_key, notification_seq)
  where status = 'pending';
create index deliveries_failed_idx on deliveries (webhook_id, notification_seq)
  where status = 'failed';

-- The delivery queue: one row for each ordering key with pending deliveries. A node sends only what it
-- has claimed here, so one ordering key is never sent by two nodes, and a delivery that waits for its
-- next attempt keeps those behind it from being claimed.
create table delivery_queue_heads (
  webhook_id uuid not null,
  ordering_key uuid not null,
  -- When its first delivery may be attempted; while it is claimed, when the claim ends.
  due_at bigint not null,
  claim bigint,
  node_id uuid,
  -- Deliveries claimed, and neither recorded nor returned yet.
  in_flight integer not null default 0,
  primary key (webhook_id, ordering_key)
) with (
  -- Most rows of a queue are dead: they are vacuumed by their number, not by their share of the table.
  fillfactor = 70,
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_cost_delay = 0
);
create index delivery_queue_heads_webhook_id_due_at_idx on delivery_queue_heads (webhook_id, due_at);

create sequence delivery_claims;

-- The nodes that deliver. Each heartbeat puts alive_until off.
create table delivery_nodes (
  id uuid primary key,
  alive_until bigint not null
);

-- Clients that stream notifications, each from a transaction on. Notifications are written for
-- them as for subscriptions.
create table listeners (
  id uuid primary key,
  owner_id uuid not null,
  events text[] not null,
  agent_ids uuid[],
  transaction_id xid8 not null,
  created_at bigint not null,
  expires_at bigint not null
);
create index listeners_owner_id_created_at_idx on listeners (owner_id, created_at);

-- Responses stored for repeated requests with the same Idempotency-Key.
create table stored_responses (
  scope bytea primary key,
  fingerprint bytea not null,
  -- A response may hold a one-time secret, so it is encrypted.
  sealed bytea not null,
  expires_at bigint not null
);
create index stored_responses_expires_at_idx on stored_responses (expires_at);

-- Those to reports, each on the shard of the agent that the report is about: the scope has the agent.
create table report_responses (
  agent_id uuid not null,
  scope bytea not null,
  fingerprint bytea not null,
  sealed bytea not null,
  expires_at bigint not null,
  primary key (agent_id, scope)
);
create index report_responses_expires_at_idx on report_responses (expires_at);

-- Units of a quota that each account has used, on all nodes together. An account is named by a keyed
-- hash, so that no client address is stored.

-- Unlogged: counting requests does not wait for the disk. Only a crash of the database server empties
-- the table; every window of a minute then starts again.
create unlogged table quota_requests (
  account bytea primary key,
  started_at bigint not null,
  used integer not null
) with (fillfactor = 50);

-- Logged: a window of a month survives a crash.
create table quota_lookups (
  account bytea primary key,
  started_at bigint not null,
  used integer not null
) with (fillfactor = 50);

-- The audit log: append-only. Each entry names the hash of the entry before it, so that a removed or
-- changed entry is detected.
create table audit (
  id uuid primary key,
  number bigint not null,
  hash bytea not null,
  actor_kind text not null,
  actor_id text,
  action text not null,
  target_kind text,
  target_id text,
  details json not null,
  created_at bigint not null,
  -- The hash covers a salted commitment to actor_id and details, so that what is personal in them can be
  -- erased. Null where it was.
  salt uuid,
  commitment bytea not null
);
create unique index audit_number_idx on audit (number);

-- Erasures of owners and agents. The work is done in parts; one without an end is taken up again.
create table erasures (
  subject_id uuid primary key,
  kind text not null,
  owner_id uuid not null,
  -- Ids that audit entries name, of rows that are gone.
  related_ids uuid[] not null,
  created_at bigint not null,
  finished_at bigint
);
create index erasures_unfinished_idx on erasures (created_at) where finished_at is null;

-- Facts about the installation: the check value of its secret key, whether it was set up.
create table installation (
  name text primary key,
  value text not null
);
