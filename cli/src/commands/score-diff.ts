import { addEvent } from '../../../src/domain/evidence.ts'
import { newEvidence } from '../../../src/domain/evidence-state.ts'
import { MODEL, type Model } from '../../../src/domain/model.ts'
import { type Score, scoreAt } from '../../../src/domain/score.ts'
import { TIERS } from '../../../src/domain/tiers.ts'
import { replay, WHOLE_LOG } from '../../../src/ingest/replay.ts'
import { eventLog } from '../../../src/scoring/event-log.ts'
import type { AgentState, Store } from '../../../src/store/store.ts'
import type { InputOf, Session } from '../command.ts'
import { withDatabase } from '../database.ts'
import { readModel } from '../model-file.ts'
import { counted } from '../output.ts'
import { configOf } from '../settings.ts'
import type { DIFF_OPTIONS } from '../table/scores.ts'

export async function scoreDiff(
  { options }: InputOf<typeof DIFF_OPTIONS>,
  session: Session,
): Promise<number> {
  const next = await readModel(options.model)
  const totals = { agents: 0, moved: 0, up: 0, down: 0, points: 0 }
  await withDatabase(configOf(session.env, options), async ({ store }) => {
    for await (const part of store.agentStates.agentIds()) {
      for (const id of part) {
        const agentState = await store.agentStates.find({ agentId: id })
        if (agentState) {
          compare(id, await scoresUnder(store, agentState, next), totals, session)
        }
      }
    }
  })
  session.show(totals, summaryOf(totals))
  return 0
}

interface Totals {
  agents: number
  moved: number
  up: number
  down: number
  points: number
}

/** The agent's score now under two models, both computed from the log, so that they are comparable. */
async function scoresUnder(
  store: Store,
  agentState: AgentState,
  next: Model,
): Promise<{ readonly before: Score; readonly after: Score }> {
  const { registeredAt, initialCeiling } = agentState.evidence
  let other = newEvidence(next, registeredAt, initialCeiling)
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
  totals: Totals,
  session: Session,
): void {
  totals.agents++
  totals.points += Math.abs(after.score - before.score)
  if (after.score !== before.score) {
    totals.moved++
  }
  if (after.classification === before.classification) {
    return
  }
  const rises = rankOf(after) < rankOf(before)
  if (rises) {
    totals.up++
  } else {
    totals.down++
  }
  session.show(
    { agentId, before: shown(before), after: shown(after) },
    `${agentId}  ${before.score} → ${after.score}  ${before.classification} → ${after.classification}`,
  )
}

function shown({ score, classification }: Score) {
  return { score, classification }
}

function rankOf({ classification }: Score): number {
  return TIERS.findIndex(({ label }) => label === classification)
}

function summaryOf({ agents, moved, up, down, points }: Totals): string {
  const mean = agents === 0 ? 0 : Math.round((10 * points) / agents) / 10
  return (
    `${counted(agents, 'agent')}: ${up} would rise and ${down} fall to another tier; ` +
    `${counted(moved, 'score')} would change, by ${mean} points on average over all agents`
  )
}
