import type { RecordedEvent } from '../../domain/agent.ts'
import type { FlaggedEvents, FlaggedPlace, ReviewStore } from '../reviews.ts'
import type { Page } from '../types.ts'
import { EVENT, type EventColumns, toEvent } from './event-columns.ts'
import { expectRows, first, ID_MAX, ID_MIN, isTest, NUMBER_MAX, page, SCANNED_MAX } from './rows.ts'
import type { Session } from './session.ts'
import type { Sql } from './sql.ts'

export const AWAITS_REVIEW = `is_quarantined and (review ->> 'status') in ('pending', 'appealed')`

/** A node has yet to fold the agent's log with the event in it. */
export const AWAITS_RELEASE = `is_quarantined and (review ->> 'status') = 'released'`

export function reviewStore({ sql, lists }: Session): ReviewStore {
  return {
    list: (of, after, limit) => listFlagged(lists, of, after, limit),
    async awaitingReview(agentId) {
      const rows = await sql<{ seq: number }>(
        `select seq from events where agent_id = $1 and ${AWAITS_REVIEW} order by seq`,
        [agentId],
      )
      return rows.map(({ seq }) => seq)
    },
    async withQuarantinedOf(agentIds, { platformId, platformOwnerId }) {
      const rows = await sql<{ agent_id: string }>(
        `select distinct agent_id from events
         where agent_id = any($1::uuid[]) and is_quarantined and (reporter_id = $2 or voter_id = $3)`,
        [agentIds, platformId, platformOwnerId],
      )
      return rows.map((row) => row.agent_id)
    },
    async save({ agentId, seq, isQuarantined, review, chain }) {
      const rows = await sql(
        `update events set is_quarantined = $3, review = $4, chain = $5
         where agent_id = $1 and seq = $2
         returning id`,
        [agentId, seq, isQuarantined, JSON.stringify(review), chain],
      )
      expectRows('event review', rows.length, 1)
    },
    async awaitingRelease(agentId) {
      const rows = await sql<EventColumns>(
        `select ${EVENT} from events where agent_id = $1 and ${AWAITS_RELEASE} order by seq`,
        [agentId],
      )
      return rows.map(toEvent)
    },
    async lockReviewsOf(agentIds) {
      await sql(
        `select pg_advisory_xact_lock(hashtextextended('review ' || agent_id, 0))
         from (select unnest($1::uuid[]) as agent_id order by 1) agents`,
        [agentIds],
      )
    },
  }
}

/** The events that await a review, the oldest first, or those with findings, the newest first. */
async function listFlagged(
  sql: Sql,
  { list, mode, rule, isOnlyRule = false, agentId, reporterId, from, to }: FlaggedEvents,
  after: FlaggedPlace | null,
  limit: number,
): Promise<Page<RecordedEvent>> {
  const text = STATEMENTS[list]
  const { createdAt, id } = after ?? text.start
  const span = [from ?? 0, to ?? NUMBER_MAX, createdAt, id]
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
  readonly start: FlaggedPlace
  readonly end: FlaggedPlace
}

const LEAST = { createdAt: 0, id: ID_MIN }
const GREATEST = { createdAt: NUMBER_MAX, id: ID_MAX }

const STATEMENTS: Readonly<Record<FlaggedEvents['list'], ListStatements>> = {
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
