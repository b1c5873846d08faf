import { createHmac } from 'node:crypto'
import type { Role, Standing } from '@standing/sdk'
import type { Pool } from 'pg'
import { createPool } from '../../src/store/postgres/pool.ts'
import type { Described } from './operations.ts'
import { newMember, type TestService } from './service.ts'
import { CALLERS, createThings, SENDER_SECRET, type Things } from './things.ts'

export { CALLERS, type CallerName } from './things.ts'

export interface World {
  /** What each caller shows. */
  readonly headers: Things['headers']
  readonly agentId: string
  /** The SDK, speaking for the owner. */
  readonly owner: Standing
  /** The token of a new member of the owner's account. */
  memberToken(role: Role): Promise<string>
  /** A request of the operation by a caller who may make it, about things of the caller's. */
  request(operation: Described, different?: Different): { url: string; init: RequestInit }
  /** How many rows each table holds, and what they add up to. */
  stored(): Promise<Readonly<Record<string, string>>>
  close(): Promise<void>
}

/** What of a request is not as it should be. */
export interface Different {
  /** Which of the examples; the first by default. */
  readonly example?: number
  /** Instead of an example, and exactly so. */
  readonly body?: unknown
  readonly query?: Readonly<Record<string, string>>
  /** Parameters of the path, as they stand in it. */
  readonly params?: Readonly<Record<string, string>>
}

let worlds = 0

/** Somebody of each kind, and something of each kind that belongs to them. */
export async function createWorld(at: TestService): Promise<World> {
  const things = await createThings(at, ++worlds)
  const { headers, agentId, owner, receiver } = things
  const pool = createPool({ url: at.database.url }, { max: 1 })
  let text: string | undefined
  return {
    headers,
    agentId,
    owner: owner.client,
    memberToken: async (role) => (await newMember(at, owner, role)).token,
    request: (operation, different = {}) => requestTo(at.url, things, operation, different),
    async stored() {
      text ??= await storedQuery(pool)
      // Under a name, so that a hundred tables are planned a few times and not at each call.
      const { rows } = await pool.query({ name: 'stored', text })
      return Object.fromEntries(
        rows.map(({ name, state }: { name: string; state: string }) => [name, state]),
      )
    },
    async close() {
      await pool.end()
      await receiver.close()
    },
  }
}

function requestTo(
  baseUrl: string,
  things: Things,
  { method, path, callers, examples, parameters }: Described,
  different: Different,
): ReturnType<World['request']> {
  const own = (name: string, value: unknown) => things.named[name] ?? value
  const body = 'body' in different ? different.body : examples[different.example ?? 0]
  const json = JSON.stringify(body, 'body' in different ? undefined : own) as string | undefined
  const url = new URL(baseUrl + filledPath(path, things, different.params))
  for (const { in: place, name, required, schema } of parameters) {
    if (place === 'query' && required) {
      url.searchParams.set(name, String(own(name, schema.example ?? '')))
    }
  }
  for (const [name, value] of Object.entries(different.query ?? {})) {
    url.searchParams.set(name, value)
  }
  const headers = {
    ...callerHeaders(path, callers, things),
    'content-type': 'application/json',
    ...(path === SIGNED ? signatureOf(json ?? '') : {}),
  }
  return { url: url.href, init: { method, headers, ...(json === undefined ? {} : { body: json }) } }
}

/** Of a caller who may make the request. */
function callerHeaders(path: string, callers: Described['callers'], things: Things) {
  // Another person of the account signs out, so that the owner's token works for what follows.
  if (path === '/v1/auth/logout') {
    return things.memberHeaders
  }
  const who = CALLERS.find((name) => (callers as readonly string[]).includes(name))
  return things.headers[who ?? 'anonymous']
}

/** The path with the ids of things that belong to the caller. */
function filledPath(path: string, { ids, idsOfOperations }: Things, params: Different['params']) {
  return path.replaceAll(/\{(\w+)\}/g, (parameter: string, name: string, end: number) => {
    const id = params?.[name] ?? idsOfOperations[path] ?? ids[path.slice(0, end + parameter.length)]
    if (id === undefined) {
      throw new Error(`test/support/things.ts knows no thing for ${path}`)
    }
    return id
  })
}

const SIGNED = '/v1/platforms/{id}/mappings/{name}/events'

/** As GitHub signs a body. */
function signatureOf(body: string) {
  const mac = createHmac('sha256', SENDER_SECRET).update(body).digest('hex')
  return { 'x-hub-signature-256': `sha256=${mac}` }
}

/** One statement that reads how many rows each table holds, and what they add up to. */
async function storedQuery(pool: Pool): Promise<string> {
  const tables = await pool.query(
    // Views, such as those of Citus, are not what the service stores.
    "select table_name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
  )
  const names = tables.rows.map((row: { table_name: string }) => row.table_name)
  // A request that is refused was made with a key all the same.
  const row = "(to_jsonb(t) - 'last_used_at')::text"
  const sum = `count(*) || ':' || coalesce(sum(hashtextextended(${row}, 0)), 0)`
  return names
    .filter((name) => !FLEETING.includes(name))
    .map((name) => `select '${name}' as name, ${sum} as state from ${name} t`)
    .join(' union all ')
}

/** What refusals may leave behind, and what nodes write down of themselves. */
const FLEETING = [
  'login_failures',
  'login_successes',
  'quota_requests',
  'delivery_nodes',
  'listeners',
  'delivery_queue_heads',
]
