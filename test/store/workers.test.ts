import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../src/lib/testing/free-port.ts'
import { createPool, onServer } from '../../src/store/postgres/pool.ts'
import { type Address, createWorkers, IDENTITY } from '../../src/store/postgres/workers.ts'
import { createDatabase } from '../support/database.ts'
import { startDatabaseProxy } from '../support/database-proxy.ts'
import { eventually } from '../support/eventually.ts'

/** The connections of a node to a server behind a proxy, and what the node logged of them. */
async function workersOn({ identity = '' } = {}) {
  const database = await createDatabase()
  const { proxy, url } = await startDatabaseProxy(database.url)
  const direct = createPool({ url: database.url }, { max: 1 })
  const logged: string[] = []
  const log = (fields: unknown, message?: string) => void logged.push(message ?? String(fields))
  const workers = createWorkers({
    open: (address, options) => createPool(onServer({ url }, address), options),
    async identityOf() {
      const { rows } = await direct.query<{ identity: string }>(IDENTITY)
      return identity || (rows[0]?.identity ?? '')
    },
    log: { info: log, warn: log },
    checkEveryMs: 20,
  })
  onTestFinished(async () => {
    await workers.close()
    await direct.end()
    await proxy.close()
    await database.drop()
  })
  const address = { host: '127.0.0.1', port: proxy.port }
  /** The number that the server was asked for; null where it was not reached. */
  const ask = (at: Address = address) =>
    workers.run(at, 3, async (sql) => (await sql<{ n: number }>('select 7 as n'))[0]?.n)
  return { workers, proxy, address, ask, logged }
}

test('a worker that is reached is asked on a connection of its own, and the log says so once', async () => {
  const { workers, address, ask, logged } = await workersOn()
  await workers.connect([address])
  expect(await ask()).toBe(7)
  await workers.connect([address])
  expect(logged).toEqual(['reports are written directly to this worker'])
})

test('a worker that is not reached is left to the coordinator, and the log says so once', async () => {
  const { workers, ask, logged } = await workersOn()
  const nowhere = { host: '127.0.0.1', port: await freePort() }
  await workers.connect([nowhere])
  await workers.connect([nowhere])
  expect(await ask(nowhere)).toBeNull()
  expect(logged).toHaveLength(1)
  expect(logged[0]).toMatch(/cannot be reached.*through the coordinator/)
})

test('a server that is not the one that the coordinator means is never asked', async () => {
  const { workers, address, ask, logged } = await workersOn({ identity: 'another server' })
  await workers.connect([address])
  expect(await ask()).toBeNull()
  expect(logged[0]).toMatch(/cannot be reached/)
})

test('a worker that loses its connections fails what was sent, and is asked again when it is back', async () => {
  const { workers, proxy, address, ask, logged } = await workersOn()
  await workers.connect([address])
  const waiting = workers.run(address, 0, (sql) => sql('select pg_sleep(60)'))
  const failed = expect(waiting).rejects.toThrow(/terminat|connection/i)
  await ask()
  proxy.refuse()
  await failed
  expect(await ask()).toBeNull()
  proxy.heal()
  await eventually(async () => expect(await ask()).toBe(7))
  expect(logged[1]).toMatch(/cannot be reached/)
  expect(logged.at(-1)).toBe('reports are written directly to this worker')
})
