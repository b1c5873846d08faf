import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LoggedEvent, RecordedEvent } from '../src/domain/agent.ts'
import { REPORTED_TYPES } from '../src/domain/event.ts'
import { encodeEvidence } from '../src/domain/evidence-codec.ts'
import { MODEL } from '../src/domain/model.ts'
import { RULES, type RuleSettings } from '../src/fraud/rules.ts'
import { linkOf } from '../src/ingest/fold.ts'
import { type Log, replay, WHOLE_LOG } from '../src/ingest/replay.ts'
import { scoreHistory } from '../src/ingest/score-history.ts'
import { createSimulation, type Simulation } from '../src/ingest/testing/simulation.ts'
import { NOON } from '../src/ingest/testing/streams.ts'
import { drawn } from './support/cases.ts'

/** The real decisions, folding and replay, without the database (attack A12). */

const OFF: RuleSettings = new Map(
  RULES.map(({ id }) => [id, { mode: 'off', threshold: 0 }] as const),
)

/** About a third of these events are suspect enough to be quarantined. */
const report = fc.record({
  type: fc.constantFrom(...REPORTED_TYPES),
  by: fc.constantFrom('p1', 'p2', 'p3', 'of-owner', null),
  later: fc.constantFrom(0, 1_000, 3_600_000, 5 * 86_400_000, 40 * 86_400_000),
  data: fc.constantFrom(
    {},
    { success: false },
    { success: true },
    { amount: 20, currency: 'USD' },
    { amount: 2e9, currency: 'USD' },
    { credentialType: 'Audit' },
  ),
  isForged: fc.boolean(),
})

const history = fc.array(report, { maxLength: 20 }).map((stream) => {
  let at = NOON
  return stream.map(({ later, by, isForged, ...one }) => {
    at += later
    const attestation = isForged && by === 'p3' ? ('invalid' as const) : ('none' as const)
    const byOwner = by === 'of-owner' ? { byOwner: 'agent' } : {}
    return { ...one, ...byOwner, by, at, attestation }
  })
})

/** Everything that the log says after all of it is released. */
async function released(events: readonly RecordedEvent[], simulation: Simulation) {
  const { agentId, evidence: fresh } = simulation.agentState('agent', NOON)
  const { registeredAt, initialCeiling } = fresh
  const log: Log<LoggedEvent> = {
    model: MODEL,
    registration: { agentId, registeredAt, initialCeiling },
    start: null,
    parts: parts(events),
    linkOf,
    counts: () => true,
    stored: null,
  }
  const snapshotAfter = scoreHistory(log, () => 'id')
  const scores: number[] = []
  const { evidence } = await replay(log, WHOLE_LOG, (step) => {
    const snapshot = snapshotAfter(step)
    if (snapshot) {
      scores.push(snapshot.score)
    }
  })
  return { evidence: encodeEvidence(evidence), scores }
}

async function* parts(events: readonly RecordedEvent[]) {
  yield events
}

test('A12: after the release of every event the score is as if nothing had been quarantined', {
  timeout: 120_000,
}, async () => {
  let quarantined = 0
  await fc.assert(
    fc.asyncProperty(history, async (stream) => {
      const [inspected, free] = [createSimulation(), createSimulation(OFF)]
      const events = stream.map((one) => inspected.report(one))
      const uninspected = stream.map((one) => free.report(one))
      quarantined += events.filter(({ isQuarantined }) => isQuarantined).length
      const after = await released(events, inspected)
      expect(after).toEqual(await released(uninspected, free))
      expect(after.evidence).toEqual(encodeEvidence(free.agentState('agent', NOON).evidence))
    }),
    { numRuns: drawn(3_000) },
  )
  expect(quarantined).toBeGreaterThan(drawn(3_000))
})
