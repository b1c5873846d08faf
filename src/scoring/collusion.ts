import type { EventType } from '../domain/event.ts'
import { foldEvents } from '../domain/evidence.ts'
import type { Evidence } from '../domain/evidence-state.ts'
import { MODEL } from '../domain/model.ts'
import { scoreAt } from '../domain/score.ts'
import { tierMin } from '../domain/tiers.ts'
import { DAY_MS } from '../domain/time.ts'
import type { AbortCheck } from '../lib/signal-after.ts'
import type { AgentState } from '../store/store.ts'

/** What established platforms that lie together would do to the agents of this installation. */
export interface CollusionRow {
  /** How many platforms lie. */
  readonly platforms: number
  /** Agents that are Good or better, and how many of them would not be any more. */
  readonly trusted: number
  readonly ruined: number
  /** Agents below Good, and how many of them would be Good or better. */
  readonly untrusted: number
  readonly raised: number
}

/** More than the price list tries: three of six were found to be enough. */
const PLATFORMS_MAX = 3

/** Ten false reports a day for a month: far below the hourly limit, and nothing that looks like a flood. */
const DAYS = 30
const PER_DAY = 10

const GOOD_MIN = tierMin('good')

/**
 * Tries it on the evidence of each agent: platforms that report on it turn first, then others join. No rule
 * quarantines anything here, and no one else reports meanwhile: the worst case.
 */
export async function collusionOn(
  agentStates: Iterable<AgentState>,
  at: number,
  { signal }: { readonly signal: AbortCheck },
): Promise<readonly CollusionRow[]> {
  const rows = Array.from({ length: PLATFORMS_MAX }, (_, i) => {
    return { platforms: i + 1, trusted: 0, ruined: 0, untrusted: 0, raised: 0 }
  })
  for (const { evidence } of agentStates) {
    signal.throwIfAborted()
    const isTrusted = scoreAt(MODEL, evidence, at).score >= GOOD_MIN
    for (const row of rows) {
      const after = afterLies(evidence, at, row.platforms, isTrusted)
      row.trusted += isTrusted ? 1 : 0
      row.untrusted += isTrusted ? 0 : 1
      row.ruined += isTrusted && after < GOOD_MIN ? 1 : 0
      row.raised += !isTrusted && after >= GOOD_MIN ? 1 : 0
    }
    // Some milliseconds of work for each agent: requests are served in between.
    await new Promise(setImmediate)
  }
  return rows
}

function afterLies(evidence: Evidence, at: number, platforms: number, isTrusted: boolean): number {
  const type: EventType = isTrusted ? 'task.failed' : 'task.completed'
  const liars = liarsOf(evidence, platforms)
  const events = Array.from({ length: DAYS * PER_DAY }, (_, i) => {
    const day = at + Math.floor(i / PER_DAY) * DAY_MS
    return liars.map((reporter) => ({ type, data: {}, reporter, self: false, at: day }))
  })
  return scoreAt(MODEL, foldEvents(MODEL, evidence, events.flat()), at + DAYS * DAY_MS).score
}

/** The platforms with the most weight in the score, then such as never reported on the agent. */
function liarsOf({ sources }: Evidence, count: number): readonly string[] {
  const known = [...sources]
    .sort((a, b) => b.positiveWeight + b.negativeWeight - a.positiveWeight - a.negativeWeight)
    .map(({ voter }) => voter)
  return Array.from({ length: count }, (_, i) => known[i] ?? `another platform ${i}`)
}
