import { chmod, readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { findEmbeddedDatabase, startEmbeddedDatabase } from '../../src/startup/embedded-database.ts'
import { migrate } from '../../src/store/postgres/migrate.ts'
import { createPool } from '../../src/store/postgres/pool.ts'
import { makeTemplate } from './cluster.ts'
import { memoryDirectory } from './memory-directory.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A PostgreSQL whose databases are ours to make and drop, as `databaseUrl` takes it. */
    engine: string
    /** The workers of a Citus cluster, whose coordinator is `engine`; none on a single server. */
    workers: readonly string[]
  }
}

/** A migrated, empty database: what each test file gets a copy of. */
export const TEMPLATE = 'standing_template'

/**
 * Every worker has services of several nodes open, each with a pool. Nothing here has to survive a
 * power cut, so no commit waits for the disk; test/durability.test.ts starts an engine that does.
 */
const SETTINGS = {
  max_connections: '400',
  fsync: 'off',
  full_page_writes: 'off',
  // A database lives for seconds here, and each would be visited every fifteen.
  autovacuum: 'off',
  // A statement is planned up to five times on a connection before PostgreSQL keeps a plan, and most connections here
  // do not live for as long: an eighth of the time of the server.
  plan_cache_mode: 'force_generic_plan',
  // The log is in memory, too.
  max_wal_size: '256MB',
}

/** Once for the whole run: the engine, and a directory for what test files share. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const shared = await memoryDirectory('standing-shared-')
  // Other users enter it: some tests start programs as another one.
  await chmod(shared, 0o755)
  project.provide('shared', shared)
  const stop = await provideEngine(project)
  return async () => {
    await stop()
    const left = await endServers(shared)
    await rm(shared, { recursive: true })
    if (left.length > 0) {
      throw new Error(`tests have left PostgreSQL running in ${left.join(', ')}`)
    }
  }
}

/** Ends the servers that run on data directories in this one, and names the directories. */
async function endServers(shared: string): Promise<readonly string[]> {
  const left: string[] = []
  for (const name of await readdir(shared, { recursive: true })) {
    // `DATA DIRECTORY/postgres/postmaster.pid`, which a server that was killed leaves as well.
    const dataDir = dirname(dirname(join(shared, name)))
    if (name.endsWith('/postgres/postmaster.pid') && (await findEmbeddedDatabase(dataDir))) {
      left.push(dataDir)
      // One that a process still uses goes on.
      await startEmbeddedDatabase({ dataDir }).then(
        (embedded) => embedded.stop(),
        () => {},
      )
    }
  }
  return left
}

/**
 * Starts the real engine; TEST_DATABASE_URL names another to use instead, and
 * STANDING_TEST_CITUS_URL the coordinator of a Citus cluster.
 */
async function provideEngine(project: TestProject): Promise<() => Promise<void>> {
  const coordinator = process.env.STANDING_TEST_CITUS_URL
  if (coordinator) {
    const { urls } = await makeTemplate(coordinator, TEMPLATE)
    project.provide('engine', coordinator)
    project.provide('workers', urls.slice(1))
    return async () => {}
  }
  project.provide('workers', [])
  const { url, stop } = await engine()
  const admin = createPool({ url }, { max: 1 })
  await admin.query(`drop database if exists ${TEMPLATE}`)
  await admin.query(`create database ${TEMPLATE}`)
  const pool = createPool({ url: databaseUrl(url, TEMPLATE) }, { max: 1 })
  await migrate(pool)
  await pool.end()
  project.provide('engine', url)
  return async () => {
    await admin.end()
    await stop()
  }
}

/** The URL of another database of the server. */
export function databaseUrl(engineUrl: string, database: string): string {
  const url = new URL(engineUrl)
  url.pathname = `/${database}`
  return url.href
}

async function engine(): Promise<{ url: string; stop: () => Promise<void> }> {
  const given = process.env.TEST_DATABASE_URL
  if (given) {
    return { url: given, stop: async () => {} }
  }
  const dataDir = await memoryDirectory('standing-test-')
  const embedded = await startEmbeddedDatabase({ dataDir, settings: SETTINGS })
  const { host, port, user, database } = embedded.connection
  const url = `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`
  return {
    url,
    async stop() {
      await embedded.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
