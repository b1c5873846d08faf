import type { RecordedEvent } from '../../domain/agent.ts'
import type { DealType, EventData, EventType } from '../../domain/event.ts'
import { DAY_MS } from '../../domain/time.ts'
import type { DailyCount, EventKey, EventStore, PastReport } from '../events.ts'
import { archivedBefore, archivedEvent, archivedUntil } from './archived-events.ts'
import { EVENT, type EventColumns, toEvent } from './event-columns.ts'
import { listEvents } from './event-lists.ts'
import { rewriteNext } from './event-texts.ts'
import { listReported } from './reported-events.ts'
import { first, page, type RowsWrite, rowsWrite, SCANNED_MAX } from './rows.ts'
import type { Session } from './session.ts'
import { loggedEvents } from './stored-evidence.ts'

interface PastColumns {
  agent_id: string
  seq: number
  type: EventType
  data: EventData
  created_at: number
}

const SELECT = `select ${EVENT} from events`

const PAST = 'select agent_id, seq, type, data, created_at from events'

export function eventStore({
  sql,
  lists,
  lagging,
}: Session): Omit<EventStore, 'batching' | 'ingest' | 'ingestPast'> {
  return {
    async find({ id, agentId }: EventKey) {
      const row = first(
        await (agentId === undefined
          ? sql<EventColumns>(`${SELECT} where id = $1`, [id])
          : sql<EventColumns>(`${SELECT} where id = $1 and agent_id = $2`, [id, agentId])),
      )
      return row ? toEvent(row) : archivedEvent(sql, id, agentId ?? null)
    },
    list: (of, before, limit) => listEvents(lagging, of, before, limit),
    daily: (agentId, since, after) =>
      lists<DailyCount>(
        `select (created_at / ${DAY_MS})::int as day, type, count(*)::int as count from events
         where agent_id = $1 and seq > $3 and created_at >= $2 and not is_quarantined
         group by 1, 2`,
        [agentId, since, after],
      ),
    rewriteNext: (agentId, after, removal, without) =>
      rewriteNext(sql, { agentId, after, removal, without }),
    listReported: (reporterId, query) => listReported(lists, reporterId, query),
    async outcomesAfter(agentId, after, types, limit) {
      const rows = await lists<{ type: DealType }>(
        `select type from events
         where agent_id = $1 and seq > $2 and seq <= $2 + ${SCANNED_MAX} and type = any($3)
           and not is_quarantined and not is_self_reported
         order by seq limit $4`,
        [agentId, after, types, limit],
      )
      return rows.map(({ type }) => type)
    },
    async latestBy(reporterId, agentId, { after, limit }) {
      const rows = await sql<PastColumns>(
        `${PAST} where agent_id = $1 and reporter_id = $2 and seq > $3 and not is_quarantined
         order by seq desc limit $4`,
        [agentId, reporterId, after, limit],
      )
      const found = rows.map(toPastReport)
      // An event that was archived since the rows were read is among them already.
      const known = new Set(found.map(({ seq }) => seq))
      const span = { from: after + 1, before: null }
      for await (const part of found.length < limit ? archivedBefore(sql, agentId, span) : []) {
        const own = part.filter(
          (event) =>
            event.reporter.id === reporterId && !event.isQuarantined && !known.has(event.seq),
        )
        found.push(...own)
        if (found.length >= limit) {
          break
        }
      }
      return found.slice(0, limit)
    },
    async reportedBy(reporterId, { from, to, types, limit }) {
      const rows = await sql<PastColumns>(
        `${PAST} where reporter_id = $1 and created_at between $2 and $3 and type = any($4)
           and not is_quarantined
         order by created_at desc, seq desc limit $5`,
        [reporterId, from, to, types, limit + 1],
      )
      const found = page(rows.map(toPastReport), limit)
      return { ...found, more: found.more || ((await archivedUntil(sql)) ?? 0) >= from }
    },
    log: (agentId, start) => loggedEvents(lists, agentId, start),
  }
}

export function eventRows(events: readonly RecordedEvent[]): RowsWrite {
  return rowsWrite(INSERT_EVENTS, events, [
    (e) => e.id,
    (e) => e.agentId,
    (e) => e.seq,
    (e) => e.type,
    (e) => JSON.stringify(e.data),
    (e) => e.occurredAt,
    (e) => e.createdAt,
    (e) => e.reporter.kind,
    (e) => e.reporter.id,
    (e) => e.self,
    (e) => e.externalId,
    (e) => e.fraudFlags.join(','),
    (e) => e.quarantineReason,
    (e) => e.isQuarantined,
    (e) => e.attestationVerified,
    (e) => e.review && JSON.stringify(e.review),
    (e) => e.chain,
    (e) => (e.findings.length > 0 ? JSON.stringify(e.findings) : null),
    (e) => e.voter,
    (e) => e.reporterWeight,
    (e) => e.share,
    (e) => e.hardness,
    (e) => e.importedAt,
    (e) => e.salt,
  ])
}

const INSERT_EVENTS = `insert into events (${EVENT})
  select id, agent_id, seq, type, data, occurred_at, created_at, reporter_kind, reporter_id,
    is_self_reported, external_id, string_to_array(fraud_flags, ','), quarantine_reason, is_quarantined,
    attestation_verified, review, chain, findings, voter_id, reporter_weight, share, hardness, imported_at,
    salt
  from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::text[], $5::json[], $6::bigint[],
    $7::bigint[], $8::text[], $9::uuid[], $10::boolean[], $11::text[], $12::text[], $13::text[],
    $14::boolean[], $15::boolean[], $16::json[], $17::bytea[], $18::json[],
    $19::uuid[], $20::float8[], $21::float8[], $22::float8[], $23::bigint[], $24::uuid[])
    as t(id, agent_id, seq, type, data, occurred_at, created_at, reporter_kind, reporter_id,
      is_self_reported, external_id, fraud_flags, quarantine_reason, is_quarantined, attestation_verified,
      review, chain, findings, voter_id, reporter_weight, share, hardness, imported_at, salt)`

function toPastReport(row: PastColumns): PastReport {
  const { agent_id: agentId, seq, type, data, created_at: createdAt } = row
  return { agentId, seq, type, data, createdAt }
}
