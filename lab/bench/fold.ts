/**
 * How many events a second one core folds and grades: `npm run bench:fold [-- --page FILE]`. Each event is added to an
 * agent's evidence and the score computed again, as the service does: all that is shown of a score only
 * where it moved. What counts is the processor's time, and the best of many short rounds: the one that
 * others disturbed least.
 */

import { parseArgs } from 'node:util'
import { addEvent, type CountedEvent, newEvidence } from '../../src/domain/evidence.ts'
import { MODEL } from '../../src/domain/model.ts'
import { movedScoreAt } from '../../src/domain/score.ts'
import { DAY_MS } from '../../src/domain/time.ts'
import { markdown, plain, writeSection } from '../eval/report.ts'

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

/** Events a second. */
function round(events: readonly CountedEvent[]): number {
  let evidence = newEvidence(MODEL, START)
  let published = { score: 0, isDisputed: false }
  let moves = 0
  const begun = process.cpuUsage()
  for (const event of events) {
    evidence = addEvent(MODEL, evidence, event)
    const moved = movedScoreAt(MODEL, evidence, event.at, published)
    if (moved) {
      published = { score: moved.score, isDisputed: moved.disputed.isDisputed }
      moves += 1
    }
  }
  const { user, system } = process.cpuUsage(begun)
  if (moves === 0) {
    throw new Error('nothing was graded')
  }
  return (1e6 * events.length) / (user + system)
}

const { values } = parseArgs({ options: { page: { type: 'string' } } })
const table = {
  head: ['platforms that report', 'million events folded and graded a second'],
  rows: [1, 4, 24].map((platforms) => {
    const events = Array.from({ length: EVENTS }, (_, i) => eventAt(i, platforms))
    const best = Math.max(...Array.from({ length: ROUNDS }, () => round(events))) / 1e6
    return [String(platforms), best.toFixed(2)]
  }),
}
process.stdout.write(`${plain(table)}\n`)
if (values.page) {
  writeSection(values.page, 'fold', markdown(table))
}
