/**
 * How many events a second one core folds and grades: `npm run bench:fold`. Each event is added to its
 * agent's evidence and the score computed again, as the service does; the agents take turns.
 */
import { addEvent, type CountedEvent, newEvidence } from '../src/core/evidence.ts'
import { scoreAt } from '../src/core/score.ts'

const EVENTS = 1_000_000
const AGENTS = 1000
const ROUNDS = 5
const START = 20_000 * 86_400_000

/** Nine of ten go well; a day of an agent has about fifty events. */
function eventAt(i: number, platforms: number): CountedEvent {
  const reporter = `platform-${i % platforms}`
  const at = START + Math.floor(i / AGENTS) * 1_728_000
  const good = i % 10 !== 3
  if (i % 3 > 0) {
    return { type: good ? 'task.completed' : 'task.failed', data: {}, reporter, self: false, at }
  }
  const data = { amount: 5 + (i % 97), currency: 'USD' }
  return { type: good ? 'payment.completed' : 'payment.failed', data, reporter, self: false, at }
}

/** Events a second. */
function round(events: readonly CountedEvent[]): number {
  const agents = Array.from({ length: AGENTS }, () => newEvidence(START))
  const begun = process.cpuUsage()
  let sum = 0
  for (let i = 0; i < events.length; i++) {
    const [agent, event] = [agents[i % AGENTS], events[i]]
    if (!agent || !event) continue
    const evidence = addEvent(agent, event)
    agents[i % AGENTS] = evidence
    sum += scoreAt(evidence, event.at).score
  }
  if (sum === 0) throw new Error('nothing was graded')
  // The processor's time, not the clock's: others may use the same core.
  const { user, system } = process.cpuUsage(begun)
  return (1e6 * events.length) / (user + system)
}

for (const platforms of [1, 4, 24]) {
  const events = Array.from({ length: EVENTS }, (_, i) => eventAt(i, platforms))
  const rates = Array.from({ length: ROUNDS }, () => round(events)).sort((a, b) => a - b)
  const median = (rates[Math.floor(ROUNDS / 2)] ?? 0) / 1e6
  process.stdout.write(`${platforms} platforms: ${median.toFixed(2)} million events a second\n`)
}
