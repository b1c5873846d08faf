import type { RecordedEvent } from '../../domain/agent.ts'
import { DAY_MS } from '../../domain/time.ts'
import type { EventQuery, ReviewQuery, RuleFindings } from '../events.ts'
import type { Page } from '../types.ts'
import { archivedBefore } from './archive.ts'
import { EVENT, type EventColumns, toEvent } from './event-columns.ts'
import { first, ID_MAX, ID_MIN, isTest, NUMBER_MAX, page, SCANNED_MAX } from './rows.ts'
import type { Sql } from './sql.ts'

/**
 * The events of an agent, newest first. Of those that a filter compares, a page passes only so many: their
 * numbers leave no gap, so a span of numbers bounds them.
 */
export async function listEvents(
  sql: Sql,
  agentId: string,
  { type, reporterId, from, to, before, limit }: EventQuery,
): Promise<Page<RecordedEvent>> {
  const isFiltered = [type, reporterId, from, to].some((filter) => filter !== undefined)
  const end = isFiltered ? (before ?? (await nextSeq(sql, agentId))) - SCANNED_MAX : 0
  const rows = await sql<EventColumns>(
    `select ${EVENT} from events
     where agent_id = $1 and seq < coalesce($2::bigint, ${NUMBER_MAX}) and seq >= $8
       and ($3::text is null or type = $3) and ($4::uuid is null or reporter_id = $4)
       and ($5::bigint is null or occurred_at >= $5) and ($6::bigint is null or occurred_at <= $6)
     order by seq desc limit $7`,
    [agentId, before, type ?? null, reporterId ?? null, from ?? null, to ?? null, limit + 1, end],
  )
  const matches = (event: RecordedEvent) =>
    (type === undefined || event.type === type) &&
    (reporterId === undefined || event.reporter.id === reporterId) &&
    event.occurredAt >= (from ?? 0) &&
    event.occurredAt <= (to ?? NUMBER_MAX)
  const found = rows.map(toEvent)
  // An event that was archived since the rows were read is among them already.
  const known = new Set(found.map(({ seq }) => seq))
  const span = { from: end, before }
  const missing = limit + 1 - found.length
  for await (const part of missing > 0 ? archivedBefore(sql, agentId, span) : []) {
    found.push(...part.filter((event) => !known.has(event.seq) && matches(event)))
    if (found.length > limit) {
      break
    }
  }
  const listed = page(found, limit)
  const goesOn = !listed.more && end > 1 && !(await isBefore(sql, agentId, end, from))
  return goesOn ? { ...listed, more: true, end: [end] } : listed
}

async function nextSeq(sql: Sql, agentId: string): Promise<number> {
  const row = first(
    await sql<{ seq: number }>('select seq from agent_states where agent_id = $1', [agentId]),
  )
  return (row?.seq ?? 0) + 1
}

/** Events happen at most minutes after they are received, by the clocks of others. */
const AHEAD_MAX_MS = DAY_MS

/** Whether an event, and with it all before it, was received before anything of a span could be. */
async function isBefore(
  sql: Sql,
  agentId: string,
  seq: number,
  from: number | undefined,
): Promise<boolean> {
  if (from === undefined) {
    return false
  }
  const row = first(
    await sql<{ created_at: number }>(
      `select created_at from events where agent_id = $1 and seq = $2
       union all
       (select last_at from archived_events where agent_id = $1 and last_seq >= $2
        order by last_seq limit 1)`,
      [agentId, seq],
    ),
  )
  return row !== null && row.created_at < from - AHEAD_MAX_MS
}

export const AWAITS_REVIEW = `is_quarantined and (review ->> 'status') in ('pending', 'appealed')`

/** A node has yet to fold the agent's log with the event in it. */
export const AWAITS_RELEASE = `is_quarantined and (review ->> 'status') = 'released'`

/** The events that await a review, the oldest first, or those with findings, the newest first. */
export async function listFlagged(
  sql: Sql,
  list: 'awaitingReview' | 'withFindings',
  query: ReviewQuery,
): Promise<Page<RecordedEvent>> {
  const { rule, isOnlyRule = false, agentId, reporterId, mode, position, limit } = query
  const text = STATEMENTS[list]
  const span = [
    query.from ?? 0,
    query.to ?? NUMBER_MAX,
    position?.createdAt ?? text.start.createdAt,
    position?.id ?? text.start.id,
  ]
  // Test data is stored with live data, so a page may have to skip some of it.
  const end = await endOf(sql, text, span)
  const rows = await sql<EventColumns>(text.rows, [
    ...span,
    end?.created_at ?? text.end.createdAt,
    end?.id ?? text.end.id,
    rule ?? null,
    agentId ?? null,
    reporterId ?? null,
    isOnlyRule,
    limit + 1,
    mode === 'test',
  ])
  const found = page(rows.map(toEvent), limit)
  return found.more || !end ? found : { ...found, more: true, end: [end.created_at, end.id] }
}

interface Place {
  readonly created_at: number
  readonly id: string
}

/** The last event that this page passes; null where it passes all. */
async function endOf(
  sql: Sql,
  { passed }: ListStatements,
  span: readonly unknown[],
): Promise<Place | null> {
  return first(await sql<Place>(passed, [...span, SCANNED_MAX - 1]))
}

interface ListStatements {
  readonly passed: string
  readonly rows: string
  readonly start: { readonly createdAt: number; readonly id: string }
  readonly end: { readonly createdAt: number; readonly id: string }
}

const LEAST = { createdAt: 0, id: ID_MIN }
const GREATEST = { createdAt: NUMBER_MAX, id: ID_MAX }

const STATEMENTS: Readonly<Record<'awaitingReview' | 'withFindings', ListStatements>> = {
  awaitingReview: {
    ...statements({
      which: AWAITS_REVIEW,
      hasRule: '$7 = any(fraud_flags)',
      after: '>',
      until: '<=',
      order: 'created_at, id',
    }),
    start: LEAST,
    end: GREATEST,
  },
  withFindings: {
    ...statements({
      which: 'findings is not null',
      hasRule: `exists (select from json_array_elements(findings) f where f ->> 'rule' = $7)`,
      after: '<',
      until: '>=',
      order: 'created_at desc, id desc',
    }),
    start: GREATEST,
    end: LEAST,
  },
}

interface ListParts {
  readonly which: string
  readonly hasRule: string
  readonly after: '<' | '>'
  readonly until: '<=' | '>='
  readonly order: string
}

/** Both follow the partial index of the list, within the span of time, from the position on. */
function statements({ which, hasRule, after, until, order }: ListParts) {
  const span = `${which} and created_at >= $1::bigint and created_at <= $2::bigint
    and (created_at, id) ${after} ($3::bigint, $4::uuid)`
  return {
    passed: `select created_at, id from events where ${span} order by ${order} offset $5 limit 1`,
    rows: `select ${EVENT} from events
      where ${span} and (created_at, id) ${until} ($5::bigint, $6::uuid)
        and ($7::text is null or ${hasRule}) and ($8::uuid is null or agent_id = $8)
        and ($9::uuid is null or reporter_id = $9)
        and (not $10::boolean or cardinality(fraud_flags) = 1)
      and ${isTest('agent_id')} = $12
      order by ${order} limit $11`,
  }
}

/** Events with findings that are counted, the latest ones: some tens of milliseconds of reading. */
const FINDINGS_MAX = 10_000

export function countFindings(sql: Sql, since: number): Promise<readonly RuleFindings[]> {
  return sql<RuleFindings>(
    `select finding ->> 'rule' as rule, count(*)::int as events,
       (count(*) filter (where finding ->> 'rule' = any(fraud_flags)))::int as quarantined,
       (count(*) filter (where finding ->> 'rule' = any(fraud_flags) and status = 'released'))::int
         as released,
       (count(*) filter (where finding ->> 'rule' = any(fraud_flags) and status = 'upheld'))::int
         as upheld
     from (select findings, fraud_flags, review ->> 'status' as status from events
           where findings is not null and created_at >= $1 and not ${isTest('agent_id')}
           order by created_at desc, id desc limit ${FINDINGS_MAX}) as found
     cross join lateral json_array_elements(findings) as finding
     group by 1`,
    [since],
  )
}
