import type pg from 'pg'
import type { Config } from '../../../src/config.ts'
import { DAY_MS } from '../../../src/domain/time.ts'
import { readShards } from '../../../src/store/postgres/distribution.ts'
import { tableBytes } from '../../../src/store/postgres/sizes.ts'
import { counted } from '../output.ts'
import { type Finding, fine, note } from './check.ts'

/** About six hundred thousand events: from here on compressing them is worth a setting. */
const LARGE_BYTES = 1e9

interface Size {
  name: string
  bytes: number
}

/** What the events take, and what keeps old ones from the archive. */
export async function retention(pool: pg.Pool, { retention }: Config): Promise<Finding> {
  const bytes = tableBytes({ isDistributed: (await readShards(pool)) !== null })
  const { rows } = await pool.query<Size>(
    `select name, (${bytes})::float8 as bytes from unnest(array['events', 'archived_events']) as name
     where to_regclass(name) is not null`,
  )
  const sizeOf = (table: string) => rows.find(({ name }) => name === table)?.bytes
  const [events, archived] = [sizeOf('events'), sizeOf('archived_events')]
  if (events === undefined || archived === undefined) {
    return note('unknown: the database has no events yet')
  }
  const sizes = `events take ${megabytes(events)}, archived ones ${megabytes(archived)}`
  if (retention.archive === null) {
    return events < LARGE_BYTES
      ? fine(sizes)
      : note(sizes, 'STANDING_RETENTION=archive=180 compresses those older than 180 days.')
  }
  const { rows: waiting } = await pool.query<{ agents: number }>(
    `select count(distinct agent_id)::int as agents from events
     where is_quarantined and (review ->> 'status') in ('pending', 'appealed') and created_at < $1`,
    [Date.now() - retention.archive * DAY_MS],
  )
  const { agents = 0 } = waiting[0] ?? {}
  return agents === 0
    ? fine(sizes)
    : note(
        `${sizes}; later events of ${counted(agents, 'agent')} cannot be archived until an old event is reviewed`,
        'Decide on them: `npx standing review list`.',
      )
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}
