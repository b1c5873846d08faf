/** Evidence as compact text: JSON arrays in a fixed order, numbers as they are. */
import type { Evidence, Source, Track } from './evidence-state.ts'
import type { OutcomeCounts } from './outcome-counts.ts'

/** First in the text; another order of fields needs another number. */
const FORM = 2

type SourceRow = [string, number, number, number]
type TrackRow = [number, SourceRow[], SourceRow, number, number, number, number, number]
type TallyRow = [number, number, number, number, number]
type Row = [
  typeof FORM,
  [number, number, number, number],
  TrackRow,
  TrackRow,
  [number, number, number],
  [number, number, number, number, number],
  [TallyRow, TallyRow, TallyRow],
]

/** Exact: decodeEvidence gives back the same numbers. */
export function encodeEvidence(evidence: Evidence): string {
  const { payments, identity, outcomeCounts: tallies } = evidence
  const row: Row = [
    FORM,
    [evidence.registeredAt, evidence.initialCeiling, evidence.at, evidence.selfReported],
    trackRow(evidence.reliability),
    trackRow(evidence.financial),
    [payments.usualSum, payments.usualWeight, payments.smallToday],
    [
      identity.eventCount,
      identity.verified,
      identity.claimed,
      identity.revoked,
      identity.withdrawn,
    ],
    [tallyRow(tallies.tasks), tallyRow(tallies.upkeep), tallyRow(tallies.payments)],
  ]
  return JSON.stringify(row)
}

/** Throws on a text of another form. */
export function decodeEvidence(text: string): Evidence {
  const row = JSON.parse(text) as Row
  if (row[0] !== FORM) {
    throw new Error(`evidence of form ${row[0]}, expected ${FORM}`)
  }
  const [, agent, reliability, financial, payments, identity, tallies] = row
  return {
    registeredAt: agent[0],
    initialCeiling: agent[1],
    at: agent[2],
    selfReported: agent[3],
    reliability: trackOf(reliability),
    financial: trackOf(financial),
    payments: { usualSum: payments[0], usualWeight: payments[1], smallToday: payments[2] },
    identity: {
      eventCount: identity[0],
      verified: identity[1],
      claimed: identity[2],
      revoked: identity[3],
      withdrawn: identity[4],
    },
    outcomeCounts: {
      tasks: tallyOf(tallies[0]),
      upkeep: tallyOf(tallies[1]),
      payments: tallyOf(tallies[2]),
    },
  }
}

function trackRow(track: Evidence['reliability']): TrackRow {
  return [
    track.eventCount,
    track.sources.map(sourceRow),
    sourceRow(track.self),
    track.recentGood,
    track.recentBad,
    track.firstDay,
    track.activeDays,
    track.activeToday,
  ]
}

function trackOf(row: TrackRow): Track {
  return {
    eventCount: row[0],
    sources: row[1].map(sourceOf),
    self: sourceOf(row[2]),
    recentGood: row[3],
    recentBad: row[4],
    firstDay: row[5],
    activeDays: row[6],
    activeToday: row[7],
  }
}

function sourceRow(source: Readonly<Source>): SourceRow {
  const { reporter, good, bad, badToday } = source
  return [reporter, good, bad, badToday]
}

function sourceOf(row: SourceRow): Source {
  const [reporter, good, bad, badToday] = row
  return { reporter, good, bad, badToday }
}

function tallyRow({
  good,
  bad,
  recentGood: lateGood,
  recentBad: lateBad,
  likelihoodRatio: steadiness,
}: OutcomeCounts): TallyRow {
  return [good, bad, lateGood, lateBad, steadiness]
}

function tallyOf([good, bad, lateGood, lateBad, steadiness]: TallyRow): OutcomeCounts {
  return { good, bad, recentGood: lateGood, recentBad: lateBad, likelihoodRatio: steadiness }
}
