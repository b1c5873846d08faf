import { createMemoryQueue } from '../../src/delivery/testing/memory-queue.ts'
import { TrustError } from '../../src/domain/error.ts'
import { MODEL } from '../../src/domain/model.ts'
import { below, type Chance, chanceOf, pick } from '../../src/domain/testing/chance.ts'
import { registeredState } from '../../src/ingest/fold.ts'
import { StoreUnavailable } from '../../src/store/store.ts'
import { createMemoryStore, type MemoryStoreOptions } from './memory-store.ts'
import { type Answer, checkHistory, type History } from './model.ts'
import { type Scheduler, withScheduler } from './scheduler.ts'
import { type Asked, type Server, startServer } from './server.ts'

export interface SeedOptions {
  readonly seed: number
  readonly bugs?: MemoryStoreOptions['bugs']
}

const OWNER = 'owner'
const AGENTS = ['agent-a', 'agent-b']
const PLATFORMS = ['platform-x', 'platform-y']

/** So low that every seed meets them. */
export const LIMITS = {
  rateLimits: true,
  eventsPerAgentHour: 3,
  eventsPerPlatformHour: 5,
  occurredAtDays: 30,
}

/** Few of everything: what goes wrong shows with few, and a seed takes a millisecond or two. */
const REQUESTS_MAX = 12
const SERVERS = 2
const CRASHES_MAX = 3

/** How often a request is sent by two clients at once, and the first attempt of a webhook fails. */
const TWICE = 0.3
const RECEIVER_FAILS = 0.1

/** How often, of all that happens, a server crashes. */
const CRASHES = 0.01

/** What is wrong after a run in the order that the seed determines; empty where nothing is. */
export function runSeed({ seed, bugs = {} }: SeedOptions): Promise<readonly string[]> {
  const chance = chanceOf(seed)
  return withScheduler(chance, async (scheduler) => checkHistory(await play(scheduler, bugs)))
}

async function play(
  scheduler: Scheduler,
  bugs: NonNullable<SeedOptions['bugs']>,
): Promise<History> {
  const { chance } = scheduler
  const queue = createMemoryQueue(scheduler.now)
  const received: string[] = []
  const memory = createMemoryStore({
    scheduler,
    owners: new Set([OWNER]),
    bugs,
    onCommitted({ notifications }) {
      for (const { type, agentId, data } of notifications) {
        if (type === 'event.ingested') {
          queue.insert('subscription', agentId, String(data.eventId))
        }
      }
      for (const server of servers) {
        server.wake()
      }
    },
  })
  const { committed } = memory
  const registered = AGENTS.map((id) =>
    registeredState(MODEL, { id, ownerId: OWNER, status: 'active', createdAt: scheduler.now() }),
  )
  for (const state of registered) {
    committed.agentStates.set(state.agentId, state)
  }
  let ids = 0
  const start = () =>
    startServer({
      scheduler,
      memory,
      queue,
      limits: LIMITS,
      newId: () => `id-${++ids}`,
      receive(job) {
        const isFirst = !received.includes(job.body)
        received.push(job.body)
        return isFirst && chance() < RECEIVER_FAILS ? 'failed' : 'delivered'
      },
    })
  const servers = Array.from({ length: SERVERS }, start)
  let crashesLeft = CRASHES_MAX
  const crashSometimes = () => {
    if (crashesLeft > 0 && chance() < CRASHES) {
      crashesLeft--
      const index = below(chance, servers.length)
      servers[index]?.crash()
      servers[index] = start()
      servers[index]?.wake()
    }
  }

  const answers: Answer[] = []
  const asked = requestsOf(chance)
  let waiting = asked.length
  for (const one of asked) {
    settle(one, servers, scheduler).then(
      (answer) => {
        answers.push(answer)
        waiting--
      },
      (error: unknown) => {
        answers.push({ asked: one, at: scheduler.now(), fault: String(error) })
        waiting--
      },
    )
  }
  await scheduler.run(() => {
    crashSometimes()
    return waiting === 0 && queue.jobs.every(({ isDone }) => isDone)
  })
  return { registered, committed, answers, received, limits: LIMITS }
}

/** Reports, each under a key of its own; some are sent twice, some have a name as well. */
function requestsOf(chance: Chance): readonly Asked[] {
  const count = 4 + below(chance, REQUESTS_MAX - 4)
  return Array.from({ length: count }, (_, n) => n).flatMap((n) => {
    const report = {
      agentId: pick(chance, AGENTS),
      reporter: { kind: 'platform', id: pick(chance, PLATFORMS) },
      reporterOwnerId: null,
      reporterVerified: true,
      attestation: 'none',
      events: [
        {
          type: chance() < 0.2 ? 'task.failed' : 'task.completed',
          data: { duration: n },
          externalId: chance() < 0.5 ? `name-${n}` : null,
        },
      ],
    } as const
    const one = { key: `key-${n}`, report }
    return chance() < TWICE ? [one, one] : [one]
  })
}

/** Sends a request until its outcome is known, as a client does that means it. */
async function settle(
  asked: Asked,
  servers: readonly Server[],
  { step, chance, now }: Scheduler,
): Promise<Answer> {
  for (;;) {
    await step()
    const server = pick(chance, servers)
    try {
      const { status, body } = await Promise.race([server.ask(asked), server.crashed])
      await step()
      if (chance() < LOST_ON_THE_WAY) {
        continue
      }
      return { asked, at: now(), status, id: (body as { id: string }).id }
    } catch (error) {
      if (!isUnknown(error)) {
        const { code } = error as TrustError
        return { asked, at: now(), refused: code }
      }
    }
  }
}

/** How often an answer is lost between the service and its client. */
const LOST_ON_THE_WAY = 0.1

/** What a client has to repeat: 503, a connection that was reset, its own request in progress. */
function isUnknown(error: unknown): boolean {
  if (error instanceof TrustError) {
    return ['SERVICE_UNAVAILABLE', 'IDEMPOTENCY_IN_PROGRESS'].includes(error.code)
  }
  if (error instanceof StoreUnavailable || /was reset/.test(String(error))) {
    return true
  }
  throw error
}
