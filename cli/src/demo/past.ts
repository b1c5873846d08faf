import { DAY_MS, HOUR_MS } from '../../../src/domain/time.ts'
import { payment, task } from './outcomes.ts'
import { createRandom } from './random.ts'
import { type Market, STORIES, type Story } from './stories.ts'

/** Reports arrive between these hours, in UTC. */
const OPEN_MS = 8 * HOUR_MS
const HOURS_MS = 10 * HOUR_MS

/** The ids that the service gave. */
export interface Ids {
  readonly agents: ReadonlyMap<string, string>
  readonly platforms: ReadonlyMap<Market, string>
}

interface Line {
  readonly at: number
  readonly agent: string | undefined
  readonly by: string | undefined
  readonly type: string
  readonly data: object
}

/** A year of every agent as JSON lines, in order of time, up to yesterday. */
export function pastLines(ids: Ids, today: number): string {
  const random = createRandom(20_260_615)
  const midnight = Math.floor(today / DAY_MS) * DAY_MS
  const lines = STORIES.flatMap((story) =>
    story.markets.flatMap((market) => linesOf(story, market, { ids, midnight, random })),
  )
  return lines
    .sort((a, b) => a.at - b.at)
    .map(({ at, ...line }) => `${JSON.stringify({ at: new Date(at).toISOString(), ...line })}\n`)
    .join('')
}

interface Drawn {
  readonly ids: Ids
  readonly midnight: number
  readonly random: () => number
}

function linesOf(story: Story, market: Market, { ids, midnight, random }: Drawn): readonly Line[] {
  const days = story.since - (story.until ?? 1)
  const perDay = story.perDay / story.markets.length
  return Array.from({ length: days }, (_, i) => story.since - i).flatMap((day) => {
    const count = Math.floor(perDay * 2 * random() + random())
    return Array.from({ length: count }, () => ({
      at: midnight - day * DAY_MS + OPEN_MS + Math.floor(random() * HOURS_MS),
      agent: ids.agents.get(story.name),
      by: ids.platforms.get(market),
      ...outcome(story, story.failing(day, market), random),
    }))
  })
}

function outcome(story: Story, failing: number, random: () => number) {
  const isBad = random() < failing
  return random() < story.pays ? payment(isBad, random) : task(isBad, random)
}
