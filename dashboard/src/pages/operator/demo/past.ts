import { DAY_MS } from '../../../durations.ts'

/** An agent of the demo: how often it is reported about, and how much of that is bad, day by day. */
interface Story {
  readonly name: string
  readonly perDay: number
  /** The share of bad events, this many days ago. */
  readonly bad: (daysAgo: number) => number
}

const DAYS = 120

/** A good one, one that had a bad month, and one that has begun to fail. */
export const STORIES: readonly Story[] = [
  { name: 'Demo Atlas', perDay: 4, bad: () => 0.005 },
  { name: 'Demo Beacon', perDay: 3, bad: (ago) => (ago > 35 && ago < 60 ? 0.3 : 0.01) },
  { name: 'Demo Courier', perDay: 3, bad: (ago) => (ago < 20 ? 0.4 : 0.02) },
]

/** The past of the demo's agents as JSON lines, in order of time: the same for the same moment. */
export function demoPast(
  agents: readonly string[],
  platforms: readonly string[],
  now: number,
): string {
  const random = createRandom(20_260_615)
  const lines = Array.from({ length: DAYS }, (_, day) => DAYS - day).flatMap((daysAgo) =>
    STORIES.flatMap(({ perDay, bad }, i) =>
      Array.from({ length: Math.round(perDay * (0.5 + random())) }, () => ({
        at: now - daysAgo * DAY_MS + Math.floor(random() * DAY_MS * 0.9),
        agent: agents[i],
        by: platforms[random() < 0.65 ? 0 : 1],
        ...eventOf(random() < bad(daysAgo), random),
      })),
    ),
  )
  return lines
    .sort((a, b) => a.at - b.at)
    .map((line) => JSON.stringify({ ...line, at: new Date(line.at).toISOString() }))
    .join('\n')
}

function eventOf(isBad: boolean, random: () => number) {
  const duration = Math.round(400 + random() * 9_000)
  const amount = Math.round(2_000 + random() * 18_000) / 100
  if (random() < 0.4) {
    const type = isBad ? 'payment.late' : 'payment.completed'
    return { type, data: { amount, currency: 'USD', ...(isBad ? { daysLate: 3 } : {}) } }
  }
  return { type: isBad ? 'task.failed' : 'task.completed', data: { duration } }
}

/** Park and Miller's generator. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 16_807) % 2_147_483_647
    return state / 2_147_483_647
  }
}
