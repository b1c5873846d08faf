import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { findEmbeddedDatabase, startEmbeddedDatabase } from '../../src/startup/embedded-database.ts'
import { createPool } from '../../src/store/postgres/pool.ts'
import { createNode, type ServiceNode, threeNodes } from './node.ts'
import { startProxy, type TcpProxy } from './proxy.ts'

/** Nodes that are not started yet, and their database. */
export interface Servers {
  readonly nodes: readonly ServiceNode[]
  readonly proxy: TcpProxy | null
  databasePid(): number
  connect(): Promise<pg.Pool>
  /** Kills the primary and promotes its standby; null without a standby. */
  readonly failOver: (() => Promise<void>) | null
  /** Ends what the nodes do not end themselves. */
  close(): Promise<void>
}

export interface ServersOptions {
  readonly dir: string
  readonly env: Readonly<Record<string, string>>
  readonly nodeArgs: readonly string[]
}

/** One node with its embedded database. */
export async function openEmbedded({ dir, env, nodeArgs }: ServersOptions): Promise<Servers> {
  const node = await createNode({ env: { STANDING_DATA_DIR: dir, ...env }, nodeArgs })
  return {
    nodes: [node],
    proxy: null,
    databasePid: () => pidIn(dir),
    connect: () => connectTo(dir),
    failOver: null,
    close: async () => {},
  }
}

/** The first line of the server's own file. */
function pidIn(dir: string): number {
  return Number(readFileSync(join(dir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])
}

async function connectTo(dir: string): Promise<pg.Pool> {
  const connection = await findEmbeddedDatabase(dir)
  if (!connection) {
    throw new Error('the embedded database does not run')
  }
  return createPool(connection, { max: 2 })
}

/** Three nodes on one database, which they reach through a proxy. */
export async function openThree({ dir, env, nodeArgs }: ServersOptions): Promise<Servers> {
  const embedded = await startEmbeddedDatabase({ dataDir: dir })
  const { host, port, user, database } = embedded.connection
  const proxy = await startProxy({ path: join(host, `.s.PGSQL.${port}`) })
  const url = `postgres://${user}@127.0.0.1:${proxy.port}/${database}`
  return {
    nodes: await threeNodes(url, { env, nodeArgs }),
    proxy,
    databasePid: () => embedded.pid,
    connect: async () => createPool(embedded.connection, { max: 2 }),
    failOver: null,
    async close() {
      await proxy.close()
      await embedded.stop()
    },
  }
}
