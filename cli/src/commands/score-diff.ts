import { addEvent, newEvidence } from '../../../src/domain/evidence.ts'
import { MODEL, type Model } from '../../../src/domain/model.ts'
import { type Score, scoreAt } from '../../../src/domain/score.ts'
import { TIERS } from '../../../src/domain/tiers.ts'
import { replay, WHOLE_LOG } from '../../../src/ingest/replay.ts'
import { eventLog } from '../../../src/scoring/event-log.ts'
import type { AgentState, Store } from '../../../src/store/store.ts'
import { type Command, configOf, DATA_OPTIONS, parse, type Terminal } from '../command.ts'
import { openDatabase } from '../database.ts'
import { Problem } from '../problem.ts'
import { readModel } from '../score/model.ts'

const OPTIONS = [
  { name: 'model', value: 'FILE', help: 'the figures of the model that change, as JSON' },
  ...DATA_OPTIONS,
] as const

export const scoreDiff: Command = {
  name: 'score diff',
  usage: '--model FILE',
  summary: 'Show who would change tier under other figures of the model; changes nothing',
  options: OPTIONS,
  example: 'standing score diff --model next.json',
  async run(args, { env, say }) {
    const { options } = parse(args, OPTIONS)
    if (options.model === undefined) {
      throw new Problem('Give a file with the figures that change: --model next.json')
    }
    const next = await readModel(options.model)
    const { store, close } = await openDatabase(configOf(env, options))
    const tally = { agents: 0, moved: 0, up: 0, down: 0, points: 0 }
    try {
      for await (const part of store.scores.agentIds()) {
        for (const id of part) {
          const agentState = await store.scores.find(id)
          if (agentState) {
            compare(id, await scoresUnder(store, agentState, next), tally, say)
          }
        }
      }
    } finally {
      await close()
    }
    say(summaryOf(tally))
    return 0
  },
}

interface Tally {
  agents: number
  moved: number
  up: number
  down: number
  points: number
}

/** The agent's score now under two models, both folded from the log: like is compared with like. */
async function scoresUnder(
  store: Store,
  agentState: AgentState,
  next: Model,
): Promise<{ readonly before: Score; readonly after: Score }> {
  const { registeredAt, initialCeiling } = agentState.evidence
  let other = newEvidence(registeredAt, initialCeiling)
  const log = eventLog(store, agentState)
  const { evidence } = await replay(log, WHOLE_LOG, ({ link, counts }) => {
    other = counts ? addEvent(next, other, link) : other
  })
  const now = Date.now()
  return { before: scoreAt(MODEL, evidence, now), after: scoreAt(next, other, now) }
}

function compare(
  agentId: string,
  { before, after }: { readonly before: Score; readonly after: Score },
  tally: Tally,
  say: Terminal['say'],
): void {
  tally.agents++
  tally.points += Math.abs(after.score - before.score)
  if (after.score !== before.score) {
    tally.moved++
  }
  if (after.classification === before.classification) {
    return
  }
  const rises = rankOf(after) < rankOf(before)
  if (rises) {
    tally.up++
  } else {
    tally.down++
  }
  say(
    `${agentId}  ${before.score} → ${after.score}  ${before.classification} → ${after.classification}`,
  )
}

function rankOf({ classification }: Score): number {
  return TIERS.findIndex(({ label }) => label === classification)
}

function summaryOf({ agents, moved, up, down, points }: Tally): string {
  const mean = agents === 0 ? 0 : Math.round((10 * points) / agents) / 10
  return (
    `${agents} agents: ${up} would rise and ${down} fall to another tier; ` +
    `${moved} scores would move, by ${mean} points in the mean of all`
  )
}
