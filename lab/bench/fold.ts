import { addEvent, type CountedEvent, ownedEvidence } from '../../src/domain/evidence.ts'
import { newEvidence } from '../../src/domain/evidence-state.ts'
import { MODEL } from '../../src/domain/model.ts'
import { movedScoreAt, publishedAt } from '../../src/domain/score.ts'
import { DAY_MS } from '../../src/domain/time.ts'
import { readOptions } from '../options.ts'
import { publish } from '../report.ts'

const USAGE = `npm run bench:fold -- [--page FILE]

Measures how many events a second one core folds and grades. Each event is added to an agent's evidence and
the score computed again: into a copy, as where the evidence after each event is asked for, with all that is
shown of a score where it moved; and in place, as a batch of reports and a simulation do. It counts processor
time, of the best of many short rounds: the one that others disturbed least.`

const EVENTS = 20_000
const ROUNDS = 60
const START = 20_000 * DAY_MS

/** Fifty a day, nine of ten good, a third of them payments. */
function eventAt(i: number, platforms: number): CountedEvent {
  const reporter = `platform-${i % platforms}`
  const at = START + i * 1_728_000
  const good = i % 10 !== 3
  if (i % 3 > 0) {
    return { type: good ? 'task.completed' : 'task.failed', data: {}, reporter, self: false, at }
  }
  const data = { amount: 5 + (i % 97), currency: 'USD' }
  return { type: good ? 'payment.completed' : 'payment.failed', data, reporter, self: false, at }
}

/** Folds and grades all events; how often the score moved. */
type Fold = (events: readonly CountedEvent[]) => number

function copied(events: readonly CountedEvent[]): number {
  let evidence = newEvidence(MODEL, START)
  let published = { score: 0, isDisputed: false }
  let moves = 0
  for (const event of events) {
    evidence = addEvent(MODEL, evidence, event)
    const moved = movedScoreAt(MODEL, evidence, event.at, published)
    if (moved) {
      published = { score: moved.score, isDisputed: moved.disputed.isDisputed }
      moves += 1
    }
  }
  return moves
}

function inPlace(events: readonly CountedEvent[]): number {
  const own = ownedEvidence(MODEL, newEvidence(MODEL, START))
  let published = { score: 0, isDisputed: false }
  let moves = 0
  for (const event of events) {
    own.add(event)
    const now = publishedAt(MODEL, own.evidence, event.at)
    moves += now.score === published.score && now.isDisputed === published.isDisputed ? 0 : 1
    published = now
  }
  return moves
}

/** Events a second. */
function round(fold: Fold, events: readonly CountedEvent[]): number {
  const begun = process.cpuUsage()
  const moves = fold(events)
  const { user, system } = process.cpuUsage(begun)
  if (moves === 0) {
    throw new Error('nothing was graded')
  }
  return (1e6 * events.length) / (user + system)
}

/** Millions of events a second in the best round. */
function best(fold: Fold, events: readonly CountedEvent[]): string {
  const rounds = Array.from({ length: ROUNDS }, () => round(fold, events))
  return (Math.max(...rounds) / 1e6).toFixed(2)
}

const values = readOptions(USAGE, { page: null })
const table = {
  head: ['platforms that report', 'million events a second, into copies', 'in place'],
  rows: [1, 3, 8, 24].map((platforms) => {
    const events = Array.from({ length: EVENTS }, (_, i) => eventAt(i, platforms))
    return [String(platforms), best(copied, events), best(inPlace, events)]
  }),
}
publish(values, { section: 'fold', table })
