import { hexOf } from '../../lib/hex.ts'
import type { StoredResponse } from '../idempotency.ts'
import type { AgentWrites, IngestEvents, IngestResult, IngestScope, IngestView } from '../ingest.ts'
import type { Store } from '../store.ts'
import { lockAgentStates, lockShardedStates } from './agent-state-reads.ts'
import { saveAgentStates } from './agent-state-writes.ts'
import { agentRows } from './batch-rows.ts'
import { findNamedCredentials } from './credentials.ts'
import { insertDelegationTasks } from './delegation-tasks.ts'
import {
  ownerPairs,
  readEndorsements,
  readEndorsementsBetween,
  saveEndorsements,
} from './endorsements.ts'
import { findKnown } from './external-ids.ts'
import { findReportResponses, replacing, tryReserve } from './idempotency.ts'
import { type JoinedWrites, joinWrites } from './joined-writes.ts'
import { insertNotifications } from './notifications.ts'
import { lockPlatformHours, savePlatformHours } from './platform-hours.ts'
import { lockReporting, saveReporters } from './reporters.ts'
import { writeRows } from './rows.ts'
import type { Session } from './session.ts'
import { shardedWrites } from './sharded-writes.ts'
import type { ShardBounds } from './shards.ts'
import type { Sql } from './sql.ts'
import { type DecidedBatch, newVersion } from './state-cache.ts'
import { readWorkStats, saveWorkStats } from './work-stats.ts'

export interface IngestWithinOptions {
  /** Takes the writes where the commit is to follow them at once; otherwise they are waited for. */
  readonly onSent?: (writing: Promise<unknown>) => void
  /** Called before the writes with what they will be. */
  readonly onDecided?: (batch: DecidedBatch) => void
}

/** Stores events in the transaction of the session. */
export function ingestWithin(
  session: Session,
  within: () => Store,
  { onSent, onDecided }: IngestWithinOptions = {},
): IngestEvents {
  return async (scope, decide, follow) => {
    const view = await (session.shards
      ? readSharded(session.sql, session.shards, scope)
      : readIngest(session.sql, scope))
    const decided = decide(view)
    const batch = { scope, view, decided, version: newVersion() }
    onDecided?.(batch)
    const writing = writeIngest(session, batch)
    await (onSent ? onSent(writing) : writing)
    if (follow?.isNeeded(decided)) {
      await follow.run(within(), decided)
    }
    await session.changed({
      kind: 'scores',
      ids: decided.agentStates.map(({ agentId }) => agentId),
    })
    return decided
  }
}

/**
 * Reads and locks what the events of one transaction touch. Every transaction locks in the same order
 * (keys, agents, platforms, reporters, external ids), so that writers queue and never deadlock.
 */
async function readIngest(sql: Sql, scope: IngestScope): Promise<IngestView> {
  // Sent together and run one after the other: each sees what was committed before it began.
  const [reserved, locked, { responses, ...rest }] = await Promise.all([
    tryReserve(sql, keysOf(scope)),
    lockAgentStates(sql, scope),
    readAfterAgents(sql, scope, {
      isSharded: false,
      endorsements: () => readEndorsements(sql, scope.endorsers),
    }),
  ])
  return { ...locked, ...rest, storedResponses: responsesByKey(reserved, responses) }
}

/** The same where agents lie on other servers, which are locked shard after shard. */
async function readSharded(sql: Sql, shards: ShardBounds, scope: IngestScope): Promise<IngestView> {
  const [reserved, locked] = await Promise.all([
    tryReserve(sql, keysOf(scope)),
    lockShardedStates(sql, shards, scope),
  ])
  const pairs = ownerPairs(scope, (agentId) => locked.agentStates.get(agentId)?.ownerId)
  const { responses, ...rest } = await readAfterAgents(sql, scope, {
    isSharded: true,
    endorsements: () => readEndorsementsBetween(sql, pairs),
  })
  return { ...locked, ...rest, storedResponses: responsesByKey(reserved, responses) }
}

interface AfterAgents {
  readonly isSharded: boolean
  readonly endorsements: () => Promise<IngestView['endorsements']>
}

/** Sends the statements that follow the locks of the agents, in the order of all locks. */
async function readAfterAgents(
  sql: Sql,
  scope: IngestScope,
  { isSharded, endorsements: readLinks }: AfterAgents,
) {
  const [platformHours, reporting, works, endorsements, credentials, known, responses] =
    await Promise.all([
      lockPlatformHours(sql, scope.platformIds),
      lockReporting(sql, scope),
      readWorkStats(sql, scope.workKinds),
      readLinks(),
      findNamedCredentials(sql, scope.credentialIds),
      findKnown(sql, scope.externalIds, { isSharded }),
      findReportResponses(sql, scope.reportKeys),
    ])
  return { platformHours, ...reporting, works, endorsements, credentials, known, responses }
}

function keysOf({ reportKeys }: IngestScope): readonly Uint8Array[] {
  return reportKeys.map(({ scope }) => scope)
}

function responsesByKey(
  reserved: ReadonlyMap<string, boolean>,
  responses: readonly StoredResponse[],
): IngestView['storedResponses'] {
  const byKey = new Map<string, StoredResponse | 'busy'>()
  for (const response of responses) {
    byKey.set(hexOf(response.scope), response)
  }
  for (const [scopeHex, isReserved] of reserved) {
    if (!isReserved) {
      byKey.set(scopeHex, 'busy')
    }
  }
  return byKey
}

/** Writes what was decided: nearly all of it in one statement, and all statements sent together, in the order of locks. */
async function writeIngest(session: Session, batch: DecidedBatch): Promise<void> {
  const { decided, version } = batch
  const { sql, send } = session.shards ? singly(session.sql) : joinWrites(session.sql)
  await Promise.all([
    saveAgentStates(sql, decided.agentStates, version),
    ...Object.values(writeOthers(session, sql, batch)),
    ...insertOfAgents(session, sql, batch),
    send(),
    insertNotifications(session, decided.notifications),
  ])
}

/** Each table by a statement of its own: on a cluster one statement writes to one table. */
function singly(sql: Sql): JoinedWrites {
  return { sql: shardedWrites(sql), async send() {} }
}

/** A kind of write that is missing here does not compile. */
function writeOthers(
  { sql: own, shards, newId }: Session,
  sql: Sql,
  { decided, view, version }: DecidedBatch,
): Readonly<
  Record<Exclude<keyof IngestResult, keyof AgentWrites | 'notifications'>, Promise<void>>
> {
  return {
    platformHours: savePlatformHours(sql, decided.platformHours),
    reporters: saveReporters(sql, decided.reporters, version),
    works: saveWorkStats(sql, decided.works, view.works),
    endorsements: saveEndorsements(sql, decided.endorsements),
    delegated: insertDelegationTasks(shards ? own : sql, decided.delegated, newId),
  }
}

function insertOfAgents(
  session: Session,
  sql: Sql,
  { decided, view }: DecidedBatch,
): readonly Promise<void>[] {
  const { storedResponses, ...others } = agentRows(decided, view.agentStates)
  // A response may be that there is no such agent, and then there is no row to store it with.
  const areKnown =
    !session.shards || decided.storedResponses.every((r) => view.agentStates.has(r.agentId))
  return [
    ...Object.entries(others).map(([what, rows]) => writeRows(sql, what, rows)),
    writeRows(areKnown ? sql : session.sql, 'stored responses', replacing(storedResponses)),
  ]
}
