/** Tables that lie together, and why they lie where they do. */
export interface TableGroup {
  readonly tables: readonly string[]
  readonly why: string
}

/** The table that the others follow: the first to be distributed. */
export const FIRST = 'agent_states'

/** All that a report writes, and what is read of one agent: distributed by `agent_id`, side by side. */
export const DISTRIBUTED: readonly TableGroup[] = [
  { tables: [FIRST], why: 'the row that each report locks and writes' },
  { tables: ['events', 'archived_events'], why: 'the log of an agent' },
  {
    tables: ['snapshots', 'thinned_snapshots', 'checkpoints', 'quarantined_evidence'],
    why: 'scores of the past, and as they would be',
  },
  { tables: ['external_ids', 'report_responses'], why: 'so that a repeated report counts once' },
  { tables: ['agent_status_changes'], why: 'the status at a past time' },
]

/** What stays on the coordinator. */
export const LOCAL: readonly TableGroup[] = [
  {
    tables: [
      'owners',
      'members',
      'sessions',
      'owner_keys',
      'oidc_identities',
      'invitations',
      'one_time_tokens',
      'mail_queue',
      'login_failures',
      'login_successes',
      'operators',
      'policies',
      'mappings',
      'remembered_agents',
      'fraud_rules',
      'erasures',
      'installation',
      'migrations',
    ],
    why: 'accounts and settings: few rows, seldom written, cached by each node',
  },
  {
    tables: ['api_keys'],
    why: 'read by hash and cached; written in each minute in which a key is used, apart from the requests',
  },
  { tables: ['turns'], why: 'one row for each job of the installation' },
  {
    tables: ['agents', 'identifiers', 'transfers', 'watches', 'delegation_tasks'],
    why: 'written when an agent is registered or named; a verified name is one agent’s of all',
  },
  {
    tables: ['platforms', 'discards', 'platform_hours', 'reporters', 'work_stats', 'endorsements'],
    why: 'by platform: an hourly limit is exact over all agents',
  },
  {
    tables: ['decisions'],
    why: 'by platform: the latest that each asked for, written behind the answers',
  },
  {
    tables: ['credentials', 'signing_keys'],
    why: 'a bit of a status list is one credential’s of all',
  },
  {
    tables: [
      'webhooks',
      'notifications',
      'deliveries',
      'delivery_queue_heads',
      'delivery_nodes',
      'listeners',
    ],
    why: 'by subscription: written only for subscribers',
  },
  { tables: ['audit'], why: 'one chain: each entry has the hash of the one before it' },
  {
    tables: ['stored_responses'],
    why: 'with the other writes of the request, which are on the coordinator',
  },
  {
    tables: ['quota_requests', 'quota_lookups'],
    why: 'limits are exact over all nodes, which take units in advance',
  },
]

/**
 * An empty distributed table. A transaction that writes both on the coordinator and on a worker
 * deletes nothing from it first: then Citus commits in two phases, and all of it is there or nothing.
 */
export const COMMIT_MARKER = 'commit_marker'
export const MARK_COMMIT = `delete from ${COMMIT_MARKER} where id = 0`
