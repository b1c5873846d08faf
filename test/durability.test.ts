import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Standing } from '@standing/sdk'
import { expect, onTestFinished, test } from 'vitest'
import { MODEL } from '../src/domain/model.ts'
import { scoreAt } from '../src/domain/score.ts'
import { replay, WHOLE_LOG } from '../src/ingest/replay.ts'
import { lockedEventLog } from '../src/scoring/event-log.ts'
import { startEmbeddedDatabase } from '../src/startup/embedded-database.ts'
import { createPool } from '../src/store/postgres/pool.ts'
import { createPostgresStore } from '../src/store/postgres/store.ts'
import { drawn } from './support/cases.ts'
import { createDataDir } from './support/data-dir.ts'
import { type RunningService, runService } from './support/process.ts'
import { OPERATOR_KEY, PASSWORD } from './support/service.ts'

/** How often the service is killed; more by hand: KILLS=30 npx vitest run test/durability.test.ts */
const KILLS = Number(process.env.KILLS ?? drawn(3, 2))
const AGENTS = 6
/** Reports about an agent in a round, and how many of them wait for an answer at a time. */
const REPORTS = 32
const AT_ONCE = 8
/** Answers after which the service is killed: the first time, and how many more each time. */
const FIRST_KILL = 40
const LATER = 37

test('a service killed repeatedly under load loses no acknowledged event and counts none twice', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'standing-kill-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  const dataDir = join(dir, 'data')
  await createDataDir(dataDir)
  const start = () =>
    runService({
      STANDING_DATA_DIR: dataDir,
      STANDING_OPERATOR_KEY: OPERATOR_KEY,
      STANDING_RATE_LIMITS: 'off',
    })
  let service: RunningService = await start()
  const { agents, apiKey } = await populate(service.url)

  const acked = new Map<string, string>()
  for (let round = 0; round < KILLS; round++) {
    const load = report(platformAt(service.url, apiKey), agents, round, acked)
    // Killed in the middle: after some answers and before the rest of them.
    await load.answers(FIRST_KILL + LATER * (round % 3))
    await service.kill()
    await load.ended
    service = await start()
  }
  // What was sent without an answer is sent again: it may have been taken in, but counts once.
  for (let round = 0; round < KILLS; round++) {
    await report(platformAt(service.url, apiKey), agents, round, acked).ended
  }
  expect(await service.stop()).toBe(0)

  const embedded = await startEmbeddedDatabase({ dataDir })
  const pool = createPool(embedded.connection)
  try {
    const store = createPostgresStore(pool)
    const stored = new Map<string, string>()
    for (const agentId of agents) {
      const agentState = await store.agentStates.find({ agentId })
      if (!agentState) {
        throw new Error('an agent is lost')
      }
      let seq = 0
      const log = lockedEventLog(store, agentState)
      const replayed = await replay(log, WHOLE_LOG, ({ entry }) => {
        expect(entry.seq).toBe(++seq)
        expect(stored.has(entry.externalId ?? '')).toBe(false)
        stored.set(entry.externalId ?? '', entry.id)
      })
      expect(agentState.seq).toBe(seq)
      expect(replayed.count).toBe(seq)
      expect(agentState.evidence).toEqual(replayed.evidence)
      expect(agentState.score).toBe(scoreAt(MODEL, replayed.evidence, agentState.updatedAt).score)
    }
    for (const [externalId, id] of acked) {
      expect(stored.get(externalId)).toBe(id)
    }
    expect(stored.size).toBe(acked.size)
  } finally {
    await pool.end()
    await embedded.stop()
  }
}, 120_000)

async function populate(baseUrl: string) {
  const anyone = new Standing({ baseUrl, operatorKey: OPERATOR_KEY })
  const { token } = await anyone.auth.register({ email: 'ada@example.com', password: PASSWORD })
  const owner = anyone.with({ token })
  const agents: string[] = []
  for (let i = 0; i < AGENTS; i++) {
    agents.push((await owner.agents.register({ displayName: `agent ${i}` })).id)
  }
  const { apiKey } = await anyone.operator.createPlatform({ name: 'platform' })
  return { agents, apiKey }
}

/** Sends each report once: a kill is to leave some without an answer. */
function platformAt(baseUrl: string, apiKey: string): Standing {
  return new Standing({ baseUrl, apiKey, retriesMax: 0 })
}

/** Reports the events of a round that have no answer yet. */
function report(
  platform: Standing,
  agents: readonly string[],
  round: number,
  acked: Map<string, string>,
) {
  let answers = 0
  let wake = () => {}
  const one = async (agentId: string, i: number, n: number) => {
    const externalId = `${i}:${round}:${n}`
    if (acked.has(externalId)) {
      return
    }
    const type = n % 7 === 3 ? ('task.failed' as const) : ('task.completed' as const)
    const event = await platform.events.submit(agentId, { type, externalId })
    acked.set(externalId, event.id)
    answers++
    wake()
  }
  const ended = Promise.allSettled(
    agents.flatMap((agentId, i) =>
      Array.from({ length: AT_ONCE }, async (_, lane) => {
        for (let n = lane; n < REPORTS; n += AT_ONCE) {
          await one(agentId, i, n)
        }
      }),
    ),
  )
  return {
    ended,
    async answers(count: number) {
      const enough = new Promise<void>((resolve) => {
        wake = () => {
          if (answers >= count) {
            resolve()
          }
        }
      })
      await Promise.race([enough, ended])
    },
  }
}
