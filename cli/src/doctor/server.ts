import type pg from 'pg'
import type { Config } from '../../../src/config.ts'
import {
  CONNECTIONS_PER_NODE,
  type Connection,
  createClient,
  endClient,
} from '../../../src/store/postgres/pool.ts'
import { type Finding, fails, fine } from './check.ts'

/** Whether this user may create the tables, and use and change those that are there. */
export async function rights(pool: pg.Pool): Promise<Finding> {
  const { rows } = await pool.query<Rights>(
    `select current_user as "user", current_schema() as schema,
       coalesce(has_schema_privilege(current_schema(), 'create'), false) as creates,
       coalesce(has_schema_privilege(current_schema(), 'usage'), false) as uses,
       (select coalesce(array_agg(c.relname::text order by c.relname), '{}')
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = current_schema() and c.relkind in ('r', 'p')
          and not (pg_has_role(c.relowner, 'usage')
            and has_table_privilege(c.oid, 'select, insert, update, delete'))) as foreign`,
  )
  const [found] = rows
  if (!found?.schema || !found.creates || !found.uses) {
    return fails(
      `the user ${found?.user} may not create tables`,
      `As the owner of the database: grant usage, create on schema public to "${found?.user}";`,
    )
  }
  const [first] = found.foreign
  return first === undefined
    ? fine(`${found.user} may create and change the tables`)
    : fails(
        `${found.foreign.length} tables belong to another user: ${first}${found.foreign.length > 1 ? ', …' : ''}`,
        `As their owner: alter table ${first} owner to "${found.user}"; and so on for each.`,
      )
}

interface Rights {
  readonly user: string
  readonly schema: string | null
  readonly creates: boolean
  readonly uses: boolean
  readonly foreign: readonly string[]
}

export async function connections(pool: pg.Pool): Promise<Finding> {
  const { rows } = await pool.query<{ max: number }>(
    `select least(
         current_setting('max_connections')::int
           - current_setting('superuser_reserved_connections')::int
           - coalesce(current_setting('reserved_connections', true)::int, 0),
         (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user),
         (select nullif(datconnlimit, -1) from pg_database where datname = current_database())
       ) as max`,
  )
  const max = rows[0]?.max ?? 0
  const nodes = Math.floor(max / CONNECTIONS_PER_NODE)
  return nodes > 0
    ? fine(`${max} allowed, enough for ${nodes} nodes of ${CONNECTIONS_PER_NODE}`)
    : fails(
        `only ${max} are allowed, and a node opens up to ${CONNECTIONS_PER_NODE}`,
        'Raise max_connections in postgresql.conf, or the connection limit of the user or of the database.',
      )
}

/** Tokens, limits and the order of events go by the clocks of the nodes; seconds make a difference. */
const CLOCK_MAX_MS = 2_000

export async function clock(pool: pg.Pool, now = Date.now): Promise<Finding> {
  const startedAt = now()
  const { rows } = await pool.query<{ at: number }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as at',
  )
  const aheadMs = Math.round((startedAt + now()) / 2 - (rows[0]?.at ?? 0))
  const seconds = Math.abs(aheadMs / 1000).toFixed(1)
  return Math.abs(aheadMs) <= CLOCK_MAX_MS
    ? fine('this machine and the database have the same time')
    : fails(
        `this machine is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the database`,
        'Let NTP set the clock of every machine: timedatectl set-ntp true.',
      )
}

/** A notification arrives within milliseconds, or never. */
const NOTIFIED_MAX_MS = 1_000

/** Whether notifications arrive on this way to the database: a pooler in transaction mode drops them. */
export async function notifications(connection: Connection, { notify }: Config): Promise<Finding> {
  if (!notify) {
    return fine('off: nodes see changes of each other within a second')
  }
  const client = createClient(connection, 'standing doctor')
  client.on('error', () => {})
  await client.connect()
  let timer: NodeJS.Timeout | undefined
  try {
    const notified = new Promise<boolean>((resolve) => {
      client.once('notification', () => resolve(true))
    })
    await client.query('listen standing_doctor')
    await client.query('notify standing_doctor')
    // Not before it was sent: a slow server is not one that drops notifications.
    const isLate = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), NOTIFIED_MAX_MS)
    })
    return (await Promise.race([notified, isLate]))
      ? fine('arrive')
      : fails(
          'do not arrive: nodes see changes of each other only after a second',
          'Set DATABASE_DIRECT_URL to PostgreSQL itself, or use a pooler in session mode.',
        )
  } finally {
    clearTimeout(timer)
    await endClient(client)
  }
}
