import type { RecordedEvent } from '../../domain/agent.ts'
import {
  type ExternalName,
  externalKey,
  type IngestView,
  type KnownEvent,
  type NamedEvent,
} from '../ingest.ts'
import { archivedAfter } from './archived-events.ts'
import { EVENT, type EventColumns, toEvent } from './event-columns.ts'
import { columns, type RowsWrite, rowsWrite } from './rows.ts'
import type { Sql } from './sql.ts'

interface KnownColumns extends EventColumns {
  named_by: string
  named_agent: string
  named_seq: number
  name: string
  digest: Buffer
}

/** Each is named: `e.*` would no longer be what was prepared once another release has added a column. */
const OF_EVENT = EVENT.replaceAll(/\w+/g, 'e.$&')

const findKnownText = (named: string, stored: string) =>
  `select ${OF_EVENT}, x.reporter_id as named_by, x.agent_id as named_agent, x.seq as named_seq,
     x.external_id as name, x.digest
   from unnest($1::uuid[], $2::uuid[], $3::text[]) as t(reporter_id, agent_id, external_id)
   join external_ids x on x.reporter_id = t.reporter_id and x.agent_id = t.agent_id
     and x.external_id = t.external_id ${named}
   left join events e on e.agent_id = x.agent_id and e.seq = x.seq ${stored}`

const FIND_KNOWN = findKnownText('', '')

/**
 * Citus finds the servers of the agents only if the statement names the agents in this way. A single server
 * would then read all names of these agents.
 */
const FIND_SHARDED_KNOWN = findKnownText(
  'and x.agent_id = any($2::uuid[])',
  'and e.agent_id = any($2::uuid[])',
)

/**
 * The events that have one of these names, by `externalKey`, on a single server or on a cluster.
 *
 * @throws Error where a named event is not stored
 */
export async function findKnown(
  sql: Sql,
  names: readonly ExternalName[],
  { isSharded = false }: { readonly isSharded?: boolean } = {},
): Promise<IngestView['known']> {
  if (names.length === 0) {
    return new Map()
  }
  const rows = await sql<KnownColumns | (KnownColumns & { id: null })>(
    isSharded ? FIND_SHARDED_KNOWN : FIND_KNOWN,
    columns(
      names,
      (n) => n.reporterId,
      (n) => n.agentId,
      (n) => n.externalId,
    ),
  )
  const known = new Map<string, KnownEvent>()
  for (const row of rows) {
    const { named_by: reporterId, named_agent: agentId, named_seq: seq, name, digest } = row
    const event = row.id === null ? (await archivedAfter(sql, agentId, seq - 1))[0] : toEvent(row)
    if (event?.seq !== seq) {
      throw new Error(`event ${seq} of agent ${agentId} is named, and not stored`)
    }
    known.set(externalKey({ reporterId, agentId, externalId: name }), { event, digest })
  }
  return known
}

/**
 * In the order of their names, so that no two writers deadlock. Events without a name have no row. Another node may
 * have stored the same name since it was read: then the statement fails, and all runs again.
 */
export function externalIdRows(events: readonly NamedEvent[]): RowsWrite {
  const named = events
    .filter(({ name }) => name !== null)
    .map((one) => ({ ...one, key: keyOf(one) }))
    .sort((a, b) => compare(a.key, b.key))
  return rowsWrite(INSERT_EXTERNAL_IDS, named, [
    ({ event }) => event.reporter.id,
    ({ name }) => name,
    ({ event }) => event.agentId,
    ({ event }) => event.seq,
    ({ digest }) => digest,
  ])
}

const INSERT_EXTERNAL_IDS = `insert into external_ids (reporter_id, external_id, agent_id, seq, digest)
  select reporter_id, external_id, agent_id, seq, digest
  from unnest($1::uuid[], $2::text[], $3::uuid[], $4::bigint[], $5::bytea[])
    as t(reporter_id, external_id, agent_id, seq, digest)`

function keyOf({ event, name }: NamedEvent): string {
  return externalKey({
    reporterId: event.reporter.id,
    agentId: event.agentId,
    externalId: name ?? '',
  })
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Removes the names that reporters gave these events; a repeated report of them is then a new event. */
export async function deleteExternalIds(
  sql: Sql,
  events: readonly { readonly agentId: string; readonly seq: number }[],
): Promise<void> {
  await sql(
    `delete from external_ids x using events e, unnest($1::uuid[], $2::bigint[]) as t(agent_id, seq)
     where e.agent_id = t.agent_id and e.seq = t.seq and e.agent_id = any($1::uuid[])
       and x.reporter_id = e.reporter_id and x.agent_id = e.agent_id and x.external_id = e.external_id`,
    columns(
      events,
      (e) => e.agentId,
      (e) => e.seq,
    ),
  )
}

/** As `deleteExternalIds`, for archived events, which have no row to find the name by. */
export async function deleteArchivedIds(sql: Sql, events: readonly RecordedEvent[]): Promise<void> {
  await sql(
    `delete from external_ids x
     using unnest($1::uuid[], $2::uuid[], $3::text[]) as t(reporter_id, agent_id, external_id)
     where x.reporter_id = t.reporter_id and x.agent_id = t.agent_id
       and x.external_id = t.external_id and x.agent_id = any($2::uuid[])`,
    columns(
      events.filter(({ externalId }) => externalId !== null),
      (e) => e.reporter.id,
      (e) => e.agentId,
      (e) => e.externalId,
    ),
  )
}

/**
 * Removes the signatures by which a replay of a report is recognised, for the events of an agent in a span of
 * numbers. Long before an event is archived its signature is too old to be accepted, so they are never looked
 * up again. They are longer than any `externalId`.
 */
export async function deleteSignatures(
  sql: Sql,
  agentId: string,
  { first, last }: { readonly first: number; readonly last: number },
): Promise<void> {
  await sql(
    `delete from external_ids where agent_id = $1 and seq >= $2 and seq <= $3
       and external_id like 'signature:%' and length(external_id) > 100`,
    [agentId, first, last],
  )
}
