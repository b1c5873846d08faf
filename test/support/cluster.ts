import { randomBytes } from 'node:crypto'
import { distribute } from '../../src/store/postgres/distribution.ts'
import { migrate } from '../../src/store/postgres/migrate.ts'
import { createPool } from '../../src/store/postgres/pool.ts'
import type { TestDatabase } from './database.ts'
import { databaseUrl } from './engine.ts'

/** Whether the databases of the tests are on a Citus cluster. */
export const isCluster = Boolean(process.env.STANDING_TEST_CITUS_URL)

/**
 * A Citus cluster: the coordinator first, then its workers. Each database of the tests is made on all of
 * them, as a copy of one in which everything is distributed.
 */
export interface Cluster {
  readonly urls: readonly string[]
}

interface Node {
  readonly name: string
  readonly port: number
  readonly is_coordinator: boolean
}

/** Of a coordinator whose database of that URL knows its workers. */
async function readCluster(coordinatorUrl: string): Promise<readonly Node[]> {
  return on(coordinatorUrl, async (query) => {
    const rows = await query<Node>(
      `select nodename as name, nodeport as port, groupid = 0 as is_coordinator from pg_dist_node
       where isactive order by groupid`,
    )
    if (rows.filter((node) => !node.is_coordinator).length === 0) {
      throw new Error('STANDING_TEST_CITUS_URL names a database without workers')
    }
    return rows
  })
}

function urlsOf(coordinatorUrl: string, nodes: readonly Node[]): readonly string[] {
  return nodes.map(({ name, port }) => {
    const url = new URL(coordinatorUrl)
    url.hostname = name
    url.port = String(port)
    return url.href
  })
}

/** A database on every node that knows the others, and in which nothing has been made yet. */
async function makeDatabase(coordinatorUrl: string, name: string): Promise<readonly string[]> {
  const nodes = await readCluster(coordinatorUrl)
  const urls = urlsOf(coordinatorUrl, nodes)
  for (const url of urls) {
    await on(url, async (query) => {
      await query(`drop database if exists ${name} with (force)`)
      await query(`create database ${name}`)
    })
    await on(databaseUrl(url, name), (query) => query('create extension citus'))
  }
  await on(databaseUrl(coordinatorUrl, name), async (query) => {
    for (const node of nodes) {
      const add = node.is_coordinator ? 'citus_set_coordinator_host' : 'citus_add_node'
      await query(`select ${add}('${node.name}', ${node.port})`)
    }
  })
  return urls
}

/** One of these for a test that distributes it itself. */
export async function createBareDatabase(coordinator: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`
  const urls = await makeDatabase(coordinator, name)
  return {
    url: databaseUrl(coordinator, name),
    async drop() {
      for (const url of urls) {
        await on(url, (query) => query(`drop database ${name} with (force)`))
      }
    },
  }
}

/** Makes the template on every node. */
export async function makeTemplate(coordinatorUrl: string, template: string): Promise<Cluster> {
  const urls = await makeDatabase(coordinatorUrl, template)
  const pool = createPool({ url: databaseUrl(coordinatorUrl, template) }, { max: 2 })
  await migrate(pool)
  await distribute(pool)
  await pool.end()
  for (const url of urls) {
    await on(url, async (query) => {
      // A copy is made only of a database without connections, and Citus keeps one open to each.
      await query(`alter database ${template} allow_connections false`)
      await query(
        `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${template}'`,
      )
    })
  }
  return { urls }
}

type Query = <Row>(text: string) => Promise<Row[]>

async function on<T>(url: string, work: (query: Query) => Promise<T>): Promise<T> {
  const pool = createPool({ url }, { max: 1, limits: { connectMs: 60_000, answerMs: 60_000 } })
  try {
    // Databases are copied on several servers, which takes as long as their disks are busy.
    await pool.query('set statement_timeout = 0')
    return await work(
      async <Row>(text: string) => (await pool.query(text)).rows as unknown as Row[],
    )
  } finally {
    await pool.end()
  }
}
