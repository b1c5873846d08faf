import type { EventLine, StreamLine } from './lines.ts'

export interface PlanOptions {
  /** At most this many events of each agent are reported; the following ones are its future. */
  readonly history: number
  /** How many events after the history the score is compared with. */
  readonly future: number
  /** Report this many events in all. */
  readonly eventsMax: number
}

/** What a first pass over the file finds for an agent. */
export interface AgentPlan {
  readonly name: string
  /** How many of its events are reported, and how many of those were good. */
  readonly reported: number
  readonly reportedGood: number
  /** Time in seconds of the first and last event of its history, whether reported or not. */
  readonly from: number
  readonly to: number
  /** What came later. Undefined where nothing did, or where `eventsMax` cut the history off. */
  readonly truth: { readonly good: number; readonly total: number } | undefined
}

export interface Plan {
  readonly agents: ReadonlyMap<string, AgentPlan>
  /** Their indexes in order of appearance, from 0. */
  readonly platforms: ReadonlyMap<string, number>
  readonly events: number
  /** Agents of the file of which no event is reported. */
  readonly unreported: readonly string[]
}

/** An event to report; `index` counts the events of its agent from 0. */
export interface Planned {
  readonly plan: AgentPlan
  readonly line: EventLine
  readonly index: number
}

type Use = 'report' | 'cut' | 'future' | 'beyond'
type AgentCounts = { -readonly [K in keyof AgentPlan]: AgentPlan[K] } & {
  later: { good: number; total: number }
  cut: boolean
}

/** Reads the file once for each agent's period and future. Memory grows with the number of agents. */
export async function planOf(
  lines: AsyncIterable<StreamLine>,
  options: PlanOptions,
): Promise<Plan> {
  const classify = createClassifier(options)
  const all = new Map<string, AgentCounts>()
  const platforms = new Map<string, number>()
  let events = 0
  for await (const line of lines) {
    const counts = countsOf(all, line.agent)
    if ('outcome' in line) {
      counts.truth = { good: line.outcome, total: 1 }
      continue
    }
    const { use } = classify(line)
    count(counts, line, use)
    if (use !== 'report') {
      continue
    }
    if (!platforms.has(line.platform)) {
      platforms.set(line.platform, platforms.size)
    }
    events++
  }
  const unreported = [...all.values()].filter(({ reported }) => reported === 0)
  return {
    agents: settle(all, options.history),
    platforms,
    events,
    unreported: unreported.map(({ name }) => name),
  }
}

/** Reads the file again and yields the events to report. Ends with the last of them. */
export async function* plannedEvents(
  lines: AsyncIterable<StreamLine>,
  plan: Plan,
  options: PlanOptions,
): AsyncGenerator<Planned, void> {
  const classify = createClassifier(options)
  let left = plan.events
  if (left === 0) {
    return
  }
  for await (const line of lines) {
    if ('outcome' in line) {
      continue
    }
    const { use, index } = classify(line)
    const own = plan.agents.get(line.agent)
    if (use !== 'report' || own === undefined) {
      continue
    }
    yield { plan: own, line, index }
    if (--left === 0) {
      return
    }
  }
}

/** Both passes classify events by the same function, so that they agree. */
function createClassifier(options: PlanOptions): (line: EventLine) => { use: Use; index: number } {
  const seen = new Map<string, number>()
  let reported = 0
  return ({ agent }) => {
    const index = seen.get(agent) ?? 0
    seen.set(agent, index + 1)
    if (index >= options.history + options.future) {
      return { use: 'beyond', index }
    }
    if (index >= options.history) {
      return { use: 'future', index }
    }
    if (reported === options.eventsMax) {
      return { use: 'cut', index }
    }
    reported++
    return { use: 'report', index }
  }
}

function countsOf(all: Map<string, AgentCounts>, name: string): AgentCounts {
  const known = all.get(name)
  if (known) {
    return known
  }
  const counts: AgentCounts = {
    name,
    reported: 0,
    reportedGood: 0,
    from: Number.POSITIVE_INFINITY,
    to: Number.NEGATIVE_INFINITY,
    truth: undefined,
    later: { good: 0, total: 0 },
    cut: false,
  }
  all.set(name, counts)
  return counts
}

function count(counts: AgentCounts, line: EventLine, use: Use): void {
  if (use === 'report' || use === 'cut') {
    counts.from = Math.min(counts.from, line.t)
    counts.to = Math.max(counts.to, line.t)
  }
  switch (use) {
    case 'report':
      counts.reported++
      counts.reportedGood += line.good
      return
    case 'future':
      counts.later.good += line.good
      counts.later.total++
      return
    case 'cut':
      counts.cut = true
      return
    case 'beyond':
      return
  }
}

/** The truth is the outcome, where the file has one, or else the later events. */
function settle(all: ReadonlyMap<string, AgentCounts>, history: number): Map<string, AgentPlan> {
  const plans = new Map<string, AgentPlan>()
  for (const [name, { later, cut, ...plan }] of all) {
    if (plan.reported === 0) {
      continue
    }
    const future = plan.reported === history && later.total > 0 ? later : undefined
    plans.set(name, { ...plan, truth: cut ? undefined : (plan.truth ?? future) })
  }
  return plans
}
