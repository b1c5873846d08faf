import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { isDeepStrictEqual } from 'node:util'
import { Standing } from '@standing/sdk'
import { expect, test } from 'vitest'
import { httpReceiver } from '../../src/outbound/testing/receiver.ts'
import { createDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { openHere } from '../support/here.ts'
import { newDirectory } from '../support/once.ts'
import { runService } from '../support/process.ts'
import { PASSWORD } from '../support/service.ts'

/** The whole of what the service is given after SIGTERM by Docker. */
const KILLED_AFTER_MS = 10_000

async function startNode(env: Readonly<Record<string, string>> = {}) {
  const dataDir = await newDirectory('stop-')
  const database = await createDatabase()
  const service = await runService({
    DATABASE_URL: database.url,
    STANDING_DATA_DIR: dataDir,
    STANDING_RATE_LIMITS: 'off',
    ...env,
  })
  return {
    ...service,
    async clean() {
      await database.drop()
    },
  }
}

type Outcome = 'answered' | 'asked to close' | 'not connected' | 'cut off'

/** Has a webhook posted to a receiver that never answers. */
async function hangDelivery(baseUrl: string) {
  let posts = 0
  const receiver = await httpReceiver(() => void posts++)
  const anyone = new Standing({ baseUrl })
  const { token } = await anyone.auth.register({ email: 'ada@example.com', password: PASSWORD })
  const owner = anyone.with({ token })
  const url = `http://127.0.0.1:${receiver.port}/`
  const { id } = await owner.webhooks.create({ url, events: ['*'] })
  await owner.webhooks.test(id)
  await eventually(() => expect(posts).toBe(1))
  return receiver
}

/** One request on a kept connection. Only a connection that was never made may fail. */
function ask(agent: Agent, url: string): Promise<Outcome> {
  return new Promise((resolve) => {
    let isConnected = false
    const asked = request(url, { agent })
    asked.on('socket', (socket) => {
      isConnected = !socket.connecting
      if (socket.connecting) {
        socket.once('connect', () => {
          isConnected = true
        })
      }
    })
    asked.on('response', (response) => {
      response.resume()
      const closes = response.headers.connection === 'close'
      response.on('end', () => resolve(closes ? 'asked to close' : 'answered'))
      response.on('error', () => resolve('cut off'))
    })
    asked.on('error', () => resolve(isConnected ? 'cut off' : 'not connected'))
    asked.end()
  })
}

/** A busy machine may delay one process by seconds; the promise is one for a machine that is not. */
const TRIES = 6

test('on SIGTERM readiness fails first, whatever hangs, and no client on a kept connection loses a request', {
  timeout: TRIES * 40_000,
}, async () => {
  for (let left = TRIES - 1; ; left--) {
    const { exitCode, ms, afterwards, outcomes } = await stopUnderClients()
    const inTime = [exitCode, afterwards, ms < KILLED_AFTER_MS]
    const wanted = [0, 200, true]
    if (left === 0 || isDeepStrictEqual(inTime, wanted)) {
      expect(inTime).toEqual(wanted)
      expect(outcomes.filter((outcome) => outcome === 'cut off')).toEqual([])
      expect(outcomes).toContain('asked to close')
      return
    }
  }
})

async function stopUnderClients() {
  const node = await startNode({
    STANDING_SHUTDOWN_GRACE: '1',
    STANDING_WEBHOOK_ALLOW: '127.0.0.0/8',
  })
  const receiver = await hangDelivery(node.url)
  const url = `${node.url}/v1/scores/classifications`
  const outcomes: Outcome[] = []
  const clients = Array.from({ length: 24 }, async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (;;) {
      const outcome = await ask(agent, url)
      outcomes.push(outcome)
      if (outcome === 'not connected' || outcome === 'cut off') {
        return agent.destroy()
      }
    }
  })
  await eventually(() => expect(outcomes.length).toBeGreaterThan(100))
  const startedAt = performance.now()
  const stopped = node.stop()
  await eventually(async () => {
    const ready = await fetch(`${node.url}/readyz`)
    expect([ready.status, ready.headers.get('connection')]).toEqual([503, 'close'])
    expect(await ready.json()).toMatchObject({ error: { details: { reason: 'shutting down' } } })
  })
  // The listener is still open for those who have not noticed yet.
  const afterwards = await fetch(url).then(
    ({ status }) => status,
    () => 0,
  )
  const exitCode = await stopped
  const ms = performance.now() - startedAt
  await Promise.all(clients)
  await receiver.close()
  await node.clean()
  return { exitCode, ms, afterwards, outcomes }
}

/** A request in progress is waited for longer than this. */
const SILENT_MAX_MS = 4_000

test('a connection without a request does not delay shutdown', async () => {
  const tookMs: number[] = []
  while (tookMs.length < TRIES && !tookMs.some((ms) => ms < SILENT_MAX_MS)) {
    const database = await createDatabase()
    const STANDING_DATA_DIR = await newDirectory('stop-')
    const service = await openHere({ DATABASE_URL: database.url, STANDING_DATA_DIR })
    const port = Number(new URL(service.url).port)
    const silent = connect({ port, host: '127.0.0.1' })
    await once(silent, 'connect')
    const startedAt = performance.now()
    expect(await service.close()).toBe(true)
    tookMs.push(performance.now() - startedAt)
    silent.destroy()
    await database.drop()
  }
  expect(Math.min(...tookMs)).toBeLessThan(SILENT_MAX_MS)
})
