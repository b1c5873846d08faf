import type { Source } from '../domain/source.ts'
import type { KnownReporter } from '../fraud/profile.ts'
import type { AgentState } from '../store/store.ts'

/** Where the reads lead to: a compiler may leave out those of which nothing is kept. */
const read = { sum: 0 }

/** Numbers in a line of the processor's cache. */
const LINE = 8

/**
 * Brings the state of an agent into the processor's cache, before an event is decided on; it changes nothing. Among
 * thousands of agents a state is in slow memory, in dozens of small objects. A short loop that reads them all lets the
 * processor fetch many at once; a decision waits for each where it needs it.
 */
export function warm({ evidence, profile, reporterHours, updatedAt }: AgentState): void {
  let sum = updatedAt + evidence.at + evidence.ceiling + evidence.verified
  for (let i = 0; i < evidence.sources.length; i++) {
    sum += sumOfSource(evidence.sources[i] as Source)
  }
  sum += sumOfSource(evidence.crowd) + sumOfSource(evidence.self)
  const { tasks, payments } = evidence.outcomeCounts
  sum += tasks.good + tasks.likelihoodRatio + payments.good + payments.likelihoodRatio
  const { recent, named, reporters, minute, days, given, goodShare } = profile
  for (let i = 0; i < reporters.length; i++) {
    const { tag, today } = reporters[i] as KnownReporter
    sum += tag.length + today
  }
  sum += recent.length + named.length + sumOfLines(profile.nearDuplicates)
  sum += minute.startedAt + profile.payments.mean + days.usual + given.all + goodShare.short
  for (const { startedAt } of reporterHours) {
    sum += startedAt
  }
  read.sum = sum
}

function sumOfSource(source: Source): number {
  const { reporter, vote, reliabilityGood, financialGood, alarm, negativeWeight } = source
  const own = reporter.length + vote + reliabilityGood + financialGood + alarm + negativeWeight
  return own + sumOfLines(source.parties)
}

/** One number of each line. */
function sumOfLines(numbers: readonly number[]): number {
  let sum = 0
  for (let i = 0; i < numbers.length; i += LINE) {
    sum += numbers[i] as number
  }
  return sum
}
