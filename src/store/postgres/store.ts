import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { createIds } from '../../lib/ids.ts'
import type { IngestEvents } from '../ingest.ts'
import type { Store } from '../store.ts'
import { agentStateStore } from './agent-states.ts'
import { agentStore } from './agents.ts'
import { archiveStore } from './archive.ts'
import { auditStore } from './audit.ts'
import { batchingOf } from './batching.ts'
import { createScoreNotifier, notify, type Publisher, type ScoreNotifier } from './changes.ts'
import { checkpointStore } from './checkpoints.ts'
import type { Cluster } from './cluster.ts'
import { credentialStore } from './credentials.ts'
import { decisionStore } from './decisions.ts'
import { delegationTaskStore } from './delegation-tasks.ts'
import { deliveryStore } from './deliveries.ts'
import { discardStore } from './discards.ts'
import { erasureStore } from './erasures.ts'
import { eventStore } from './events.ts'
import { idempotencyStore } from './idempotency.ts'
import { identifierStore } from './identifiers.ts'
import { ingestWithin } from './ingest.ts'
import { installationStore } from './installation.ts'
import { invitationStore } from './invitations.ts'
import { keyStore } from './keys.ts'
import { listenerStore } from './listeners.ts'
import { loginFailureStore } from './login-failures.ts'
import { mailQueueStore } from './mail-queue.ts'
import { mappingStore } from './mappings.ts'
import { memberStore } from './members.ts'
import { notificationStore } from './notifications.ts'
import { oneTimeTokenStore } from './one-time-tokens.ts'
import { operatorStore } from './operators.ts'
import { createOptimisticIngest, type ScoreChange } from './optimistic-ingest.ts'
import { ownerKeyStore } from './owner-keys.ts'
import { ownerStore } from './owners.ts'
import { createPastIngest } from './past-ingest.ts'
import { platformStore } from './platforms.ts'
import { policyStore } from './policies.ts'
import { quarantinedEvidenceStore } from './quarantined-evidence.ts'
import { quotaStore } from './quotas.ts'
import { reporterStore } from './reporters.ts'
import { reviewStore } from './reviews.ts'
import { ruleStore } from './rules.ts'
import type { Session } from './session.ts'
import { sessionStore } from './sessions.ts'
import { createShardedIngest } from './sharded-ingest.ts'
import { signingKeyStore } from './signing-keys.ts'
import { snapshotStore } from './snapshots.ts'
import { sqlOn, sqlWithFallback } from './sql.ts'
import {
  cacheDecided,
  createStateCache,
  invalidate,
  invalidateWritten,
  type StateCache,
} from './state-cache.ts'
import { createStatisticsWriter, type StatisticsWriter } from './statistics.ts'
import { statsStore } from './stats.ts'
import { sweep } from './sweep.ts'
import { testDataStore } from './test-data.ts'
import { inTransaction, type Transaction } from './transaction.ts'
import { transferStore } from './transfers.ts'
import { turnStore } from './turns.ts'
import { watchStore } from './watches.ts'
import { webhookStore } from './webhooks.ts'

/** For a program without caches: its changes are published to the nodes only. */
const NO_SUBSCRIBERS: Publisher = { origin: randomUUID(), publish() {} }

export interface PostgresStoreOptions {
  readonly newId: () => string
  readonly publisher: Publisher
  /** Whether other nodes are notified of changes. */
  readonly notifies: boolean
  readonly scoreNotifier: ScoreNotifier
  /** Where lists and logs are read; on the same connections as all else by default. */
  readonly lists: pg.Pool
  /** Where lists are read that may lag; with the others by default. */
  readonly replica: pg.Pool | null
  /** Where the rows of agents are; null on a single server. */
  readonly cluster: Cluster | null
  readonly statistics: StatisticsWriter
}

export function createPostgresStore(
  pool: pg.Pool,
  {
    newId = createIds(),
    publisher = NO_SUBSCRIBERS,
    lists = pool,
    replica = null,
    cluster = null,
    statistics = createStatisticsWriter(pool),
    notifies = true,
    scoreNotifier = createScoreNotifier(sqlOn(pool), publisher.origin),
  }: Partial<PostgresStoreOptions> = {},
): Store {
  const options = { newId, publisher, lists, replica, notifies, scoreNotifier, cluster, statistics }
  const isDistributed = cluster !== null
  const cache = createStateCache()
  const connections = new WeakMap<pg.PoolClient, Connection>()

  /** A store on each connection, made once: a transaction costs no objects of its own. */
  function connectionIn(transaction: Transaction): Connection {
    const known = connections.get(transaction.client)
    const connection = known ?? createConnection(transaction, options, cache)
    connection.begin(transaction)
    connections.set(transaction.client, connection)
    return connection
  }

  const locking: IngestEvents = async (scope, decide, follow) => {
    try {
      return await inTransaction(
        pool,
        (transaction) => connectionIn(transaction).ingestAll(scope, decide, follow),
        { isDistributed },
      )
    } catch (error) {
      invalidate(cache, scope)
      throw error
    }
  }
  const onCommitted = (change: ScoreChange) => {
    publisher.publish(change)
    scoreNotifier.changed(change.ids)
  }
  const ingest =
    cluster === null
      ? createOptimisticIngest({ pool, cache, newId, locking, onCommitted })
      : createShardedIngest({
          pool,
          cache,
          cluster,
          statistics,
          locking,
          onCommitted: (ids) => onCommitted({ kind: 'scores', ids }),
        })

  const ingestPast = () =>
    createPastIngest({
      pool,
      newId,
      locking,
      isOnlyLocking: isDistributed,
      onCommitted(decided) {
        invalidateWritten(cache, decided)
        onCommitted({ kind: 'scores', ids: decided.agentStates.map(({ agentId }) => agentId) })
      },
    })

  return {
    ...nouns(sessionOn(pool, options, cache), ingest, ingestPast),
    transaction: (work) =>
      inTransaction(pool, (transaction) => work(connectionIn(transaction).store), {
        isDistributed,
      }),
  }
}

interface Connection {
  readonly store: Store
  /** Stores events that are all of the transaction: the commit follows the writes at once. */
  readonly ingestAll: Store['events']['ingest']
  begin(transaction: Transaction): void
}

/** A store that runs everything in the current transaction of one connection. */
function createConnection(
  first: Transaction,
  { newId, publisher, notifies, scoreNotifier, cluster, statistics }: PostgresStoreOptions,
  cache: StateCache,
): Connection {
  const { sql } = first
  let current = first
  let depth = 0
  const session: Session = {
    sql,
    lists: sql,
    lagging: sql,
    newId,
    shards: cluster?.bounds ?? null,
    batching: batchingOf(cluster),
    statisticsWritten: statistics.written,
    reporterChanged(platformId) {
      current.onCommitted.push(() => cache.reporters.delete(platformId))
    },
    async changed(change) {
      current.onCommitted.push(() => publisher.publish(change))
      if (change.kind === 'scores') {
        current.onCommitted.push(() => scoreNotifier.changed(change.ids))
      } else if (notifies) {
        await notify(sql, publisher.origin, change)
      }
    },
  }
  const store: Store = {
    ...nouns(
      session,
      ingestWithin(session, () => store),
    ),
    async transaction(work) {
      const savepoint = `depth_${depth++}`
      // Sent together with the first statement of the work, which fails if this one does.
      sql(`savepoint ${savepoint}`).catch(() => {})
      try {
        const result = await work(store)
        sql(`release savepoint ${savepoint}`).catch(() => {})
        return result
      } catch (error) {
        await sql(`rollback to savepoint ${savepoint}`)
        throw error
      } finally {
        depth--
      }
    },
  }
  const ingestAll = ingestWithin(session, () => store, {
    onSent(writing) {
      // The commit reports its failure.
      writing.catch(() => {})
      current.sent.push(writing)
    },
    onDecided: (batch) => cacheDecided(cache, batch),
  })
  return {
    store,
    ingestAll,
    begin(transaction) {
      current = transaction
      depth = 0
    },
  }
}

/** Each statement on its own, on any connection of the pool. */
function sessionOn(
  pool: pg.Pool,
  {
    newId,
    publisher,
    notifies,
    lists: listPool,
    replica,
    cluster,
    statistics,
  }: PostgresStoreOptions,
  cache: StateCache,
): Session {
  const sql = sqlOn(pool)
  const lists = sqlOn(listPool)
  return {
    sql,
    lists,
    lagging: replica ? sqlWithFallback(sqlOn(replica), lists) : lists,
    newId,
    shards: cluster?.bounds ?? null,
    batching: batchingOf(cluster),
    statisticsWritten: statistics.written,
    reporterChanged: (platformId) => void cache.reporters.delete(platformId),
    async changed(change) {
      publisher.publish(change)
      if (notifies) {
        await notify(sql, publisher.origin, change)
      }
    },
  }
}

function nouns(
  session: Session,
  ingest: Store['events']['ingest'],
  ingestPast = () => ingest,
): Omit<Store, 'transaction'> {
  const { sql } = session
  return {
    owners: ownerStore(session),
    members: memberStore(session),
    sessions: sessionStore(session),
    ownerKeys: ownerKeyStore(session),
    invitations: invitationStore(session),
    operators: operatorStore(session),
    oneTimeTokens: oneTimeTokenStore(session),
    mailQueue: mailQueueStore(session),
    loginFailures: loginFailureStore(sql),
    agents: agentStore(session),
    identifiers: identifierStore(session),
    keys: keyStore(session),
    platforms: platformStore(session),
    policies: policyStore(session),
    decisions: decisionStore(session),
    mappings: mappingStore(session),
    reporters: reporterStore(session),
    rules: ruleStore(session),
    reviews: reviewStore(session),
    events: { ...eventStore(session), batching: session.batching, ingest, ingestPast },
    agentStates: agentStateStore(session),
    snapshots: snapshotStore(session),
    checkpoints: checkpointStore(sql),
    quarantinedEvidence: quarantinedEvidenceStore(sql),
    credentials: credentialStore(session),
    signingKeys: signingKeyStore(session),
    notifications: notificationStore(session),
    listeners: listenerStore(session),
    webhooks: webhookStore(session),
    transfers: transferStore(session),
    delegationTasks: delegationTaskStore(session),
    watches: watchStore(session),
    deliveries: deliveryStore(session),
    audit: auditStore(session),
    erasures: erasureStore(session),
    discards: discardStore(session),
    archive: archiveStore(sql),
    installation: installationStore(session),
    idempotency: idempotencyStore(session),
    quotas: quotaStore(sql),
    turns: turnStore(sql),
    stats: statsStore(session),
    testData: testDataStore(session),
    sweep: (what, until) => sweep(sql, what, until),
  }
}
