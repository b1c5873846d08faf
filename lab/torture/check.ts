import type pg from 'pg'
import { groupBy } from '../../src/lib/group-by.ts'
import { checkAgent } from '../../src/scoring/check-agent.ts'
import { createPostgresStore } from '../../src/store/postgres/store.ts'
import type { Entry } from './ledger.ts'

/** What of the ledger the database does not confirm. */
export interface Verdict {
  readonly acknowledged: number
  /** Acknowledged, and not stored as acknowledged, or not announced. */
  readonly lost: readonly string[]
  /** Stored, acknowledged or announced more than once. */
  readonly doubled: readonly string[]
  /** Refused though it was right, stored though never sent, or a state that its log does not give. */
  readonly mismatched: readonly string[]
}

interface StoredEvent {
  readonly n: number
  readonly id: string
  readonly agent_id: string
  readonly external_id: string | null
  /** Notifications about it. */
  readonly notified: number
}

const STORED = `
  select (e.data ->> 'duration')::int as n, e.id, e.agent_id, e.external_id,
    count(x.id)::int as notified
  from events e
  left join notifications x
    on x.type = 'event.ingested' and x.data ->> 'eventId' = e.id::text
  where e.agent_id = any($1) and (e.data ->> 'duration')::int between $2 and $3
  group by e.id, e.agent_id, e.seq`

export interface CheckOptions {
  readonly agentIds: readonly string[]
  /** The first and the last number that the ledger may have. */
  readonly numbers: readonly [number, number]
  /** Whether the webhook about an event arrived; not asked where it is left out. */
  readonly isDelivered?: (eventId: string) => boolean
}

/** Compares the ledger with the database, and the state of each agent with its log. */
export async function check(
  pool: pg.Pool,
  entries: readonly Entry[],
  { agentIds, numbers, isDelivered }: CheckOptions,
): Promise<Verdict> {
  const { rows } = await pool.query<StoredEvent>(STORED, [agentIds, ...numbers])
  const stored = new Map(groupBy(rows, ({ n }) => n))
  const lost: string[] = []
  const doubled: string[] = []
  const mismatched: string[] = []
  for (const entry of entries) {
    const found = stored.get(entry.n) ?? []
    stored.delete(entry.n)
    if (entry.ids.some((id) => !found.some((row) => row.id === id))) {
      lost.push(`${entry.n}: acknowledged as ${entry.ids}, stored as ${found.map(({ id }) => id)}`)
    }
    if (found.length > 1 || entry.ids.length > 1) {
      doubled.push(`${entry.n}: stored ${found.length} times, acknowledged as ${entry.ids}`)
    }
    if (entry.refused !== null) {
      mismatched.push(`${entry.n}: refused (${entry.refused}), stored ${found.length} times`)
    }
    if (isDelivered && entry.ids.some((id) => !isDelivered(id))) {
      lost.push(`${entry.n}: acknowledged, and its webhook did not arrive`)
    }
    for (const row of found) {
      const isSame = row.agent_id === entry.agentId && row.external_id === entry.externalId
      if (!isSame) {
        mismatched.push(`${entry.n}: stored about another agent, or by another name`)
      }
      if (row.notified !== 1) {
        ;(row.notified > 1 ? doubled : lost).push(`${entry.n}: ${row.notified} notifications`)
      }
    }
  }
  mismatched.push(...[...stored.keys()].map((n) => `${n}: stored, but never sent`))
  const store = createPostgresStore(pool)
  for (const agentId of agentIds) {
    const checked = await checkAgent(store, agentId)
    if (checked === null || checked.difference) {
      mismatched.push(`agent ${agentId}: ${checked?.difference?.what ?? 'its state is gone'}`)
    }
  }
  const acknowledged = entries.filter(({ ids }) => ids.length > 0).length
  return { acknowledged, lost, doubled, mismatched }
}
