import type { Classification, Score, ScoreExplanation, Snapshot } from '@standing/sdk'
import { callerOf } from '../clients.ts'
import type { InputOf, Session } from '../command.ts'
import { counted, paint, row, showList, TIME_WIDTH } from '../output.ts'
import type { EXPLAIN_OPTIONS, GET_OPTIONS, HISTORY_OPTIONS } from '../table/scores.ts'

export async function get(
  { words: [agentId = ''], options }: InputOf<typeof GET_OPTIONS>,
  session: Session,
): Promise<number> {
  const score = await callerOf(session, options).score.get(agentId, { at: options.at })
  session.show(score, scoreText(score, session))
  return 0
}

export async function explain(
  { words: [agentId = ''], options }: InputOf<typeof EXPLAIN_OPTIONS>,
  session: Session,
): Promise<number> {
  const { score } = callerOf(session, options)
  const explanation = await score.explain(agentId, { since: options.since })
  session.show(explanation, explanationText(explanation, session))
  return 0
}

export async function history(
  { words: [agentId = ''], options }: InputOf<typeof HISTORY_OPTIONS>,
  session: Session,
): Promise<number> {
  const { limit, from, to } = options
  const snapshots = callerOf(session, options).score.getHistory(agentId, { from, to })
  return showList(snapshots, session, snapshotLine, limit)
}

function scoreText(score: Score, session: Session): string {
  const { interval, confidence, eventCount, evidence, breakdown, disputed, exposureLimit } = score
  const { platformReported, selfReported, quarantined } = evidence
  // Changes of hands, ceilings and discards: without them the numbers do not sum to that of the events.
  const byService = eventCount - platformReported - selfReported
  const parts = Object.entries(breakdown).map(
    ([dimension, part]) =>
      `  ${row([dimension, scoreCell(part.score), counted(part.eventCount, 'event')], [DIMENSION_WIDTH])}`,
  )
  return [
    `${headline(score, session)}, ${interval.low} to ${interval.high}`,
    `${confidence} confidence, ${counted(eventCount, 'event')}: ${platformReported} by platforms, ` +
      `${selfReported} self-reported, ${byService > 0 ? `${byService} by the service, ` : ''}${quarantined} quarantined`,
    ...(disputed.isDisputed ? ['platforms disagree about this agent'] : []),
    ...(exposureLimit === null ? [] : [`exposure limit $${exposureLimit}`]),
    ...parts,
  ].join('\n')
}

/** As wide as the longest dimension. */
const DIMENSION_WIDTH = 'reliability'.length

/** As wide as the highest score, so that scores line up at their ends. */
const SCORE_WIDTH = '1000'.length

function scoreCell(score: number): string {
  return String(score).padStart(SCORE_WIDTH)
}

const COLOURS = {
  excellent: 'green',
  good: 'green',
  fair: 'yellow',
  poor: 'yellow',
  untrusted: 'red',
} as const satisfies Readonly<Record<Classification, string>>

function headline(
  { score, classification }: Pick<Score, 'score' | 'classification'>,
  session: Session,
) {
  return paint(session, COLOURS[classification], `${score} of 1000, ${classification}`)
}

/** `+1000.0`, so that the points line up. */
const POINTS_WIDTH = 7

function explanationText(explanation: ScoreExplanation, session: Session): string {
  const { contributions, reasons, confidence } = explanation
  const points = (n: number) => `${n > 0 ? '+' : ''}${n.toFixed(1)}`.padStart(POINTS_WIDTH)
  return [
    `${headline(explanation, session)}, ${confidence} confidence`,
    ...reasons.map(({ sentence }) => `  ${sentence}`),
    '',
    `${points(contributions.start)}  start`,
    ...contributions.types.map(
      ({ type, events, points: moved }) => `${points(moved)}  ${events} × ${type}`,
    ),
    ...(contributions.time === 0 ? [] : [`${points(contributions.time)}  time`]),
    ...(contributions.correction === 0 ? [] : [`${points(contributions.correction)}  correction`]),
    `${`${explanation.score}  `.padStart(POINTS_WIDTH)}  score`,
  ].join('\n')
}

/** The longest classification and confidence, so that columns line up. */
const WIDTHS = [TIME_WIDTH, SCORE_WIDTH, 'untrusted'.length, 'medium'.length]

function snapshotLine({ createdAt, score, classification, confidence, trigger }: Snapshot): string {
  return row([createdAt, scoreCell(score), classification, confidence, trigger.type], WIDTHS)
}
